#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "Layout.h"
#include "support/World.h"

namespace spmv {

/// The elements of the input vector: integers, so that all sums are exact in any order.
inline double input(std::uint64_t row) {
  return static_cast<double>(static_cast<int>(37 * row % 101) - 50);
}

/// A row of the product of A and the input, computed directly from the grid.
double expected_output(const Grid& grid, std::uint64_t row);

/// Characteristic values of a product, which are compared with known ones.
struct Fingerprint {
  std::int64_t sum = 0;
  std::int64_t squares = 0;  // y y
  std::int64_t product = 0;  // x y
  std::uint64_t weighted = 0;
  std::int64_t first = 0;

  bool operator==(const Fingerprint&) const = default;
};

/// The fingerprint of the product. \param y  the calling unit's rows, for block size 1  \collective
Fingerprint fingerprint_of(kernels::World& world, const Layout& layout, std::span<const double> y);

/// The known fingerprint of a grid; empty if it is not known.
std::optional<Fingerprint> known_fingerprint(const Grid& grid);

/// The numbers of rows of A 1 that are 0, 1, 2 and 3. \collective
std::array<std::uint64_t, 4> count_values(kernels::World& world, std::span<const double> y);

/// The expected numbers. In a direction of extent 1, points have no neighbour on both sides.
std::array<std::uint64_t, 4> expected_values(const Grid& grid);

std::string text_of(const Fingerprint& fingerprint);

}  // namespace spmv
