#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "Layout.h"
#include "support/World.h"

namespace spmv {

/// The vector that is multiplied: whole numbers, so that all sums are exact in any order.
inline double input(std::uint64_t row) {
  return static_cast<double>(static_cast<int>(37 * row % 101) - 50);
}

/// Row of (A x input), computed from the grid alone.
double expected_output(const Grid& grid, std::uint64_t row);

/// What a product is told by.
struct Figures {
  std::int64_t sum = 0;
  std::int64_t squares = 0;  // y y
  std::int64_t product = 0;  // x y
  std::uint64_t weighted = 0;
  std::int64_t first = 0;

  bool operator==(const Figures&) const = default;
};

/// Of the calling unit's rows, in blocks of one. \collective
Figures figures_of(kernels::World& world, const Layout& layout, std::span<const double> y);

/// Where somebody has computed them.
std::optional<Figures> known_figures(const Grid& grid);

/// How many rows of A 1 are 0, 1, 2, 3. \collective
std::array<std::uint64_t, 4> count_values(kernels::World& world, std::span<const double> y);

/// What they should be. Extents of 1 have rows with both neighbours missing.
std::array<std::uint64_t, 4> expected_values(const Grid& grid);

std::string text_of(const Figures& figures);

}  // namespace spmv
