#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "Field.h"

namespace terrain {

/// A digital elevation model: one elevation in whole metres a cell, row 0 in the north.
struct Dem {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::optional<double> cell_size;  // metres; empty if the file does not tell
  std::vector<std::uint16_t> elevations;
};

/// Reads an elevation model from a PGM file whose samples are metres. A comment "cell 0.000833333
/// deg" or "cell 92.6 m" in its header gives the size of a cell; degrees are taken as degrees of
/// latitude.
/// \throws UserError as read_pgm
Dem read_dem(const std::string& path);

/// Writes elevations as a PGM file that read_dem understands: rounded to whole metres and cut to 0
/// to 65535.
/// \param cell_size metres
/// \throws UserError if the file cannot be written
void write_dem(const std::string& path, const Field& elevation, double cell_size);

/// Index in a model of \p extent cells that stands at position \p i of a row of mirrored copies of
/// it: 0 1 2 | 2 1 0 | 0 1 2 ... Neighbouring copies meet in equal cells, so tiling makes no
/// cliffs.
constexpr std::size_t mirrored_index(std::size_t i, std::size_t extent) {
  const auto copy = i / extent;
  const auto inside = i % extent;
  return copy % 2 == 0 ? inside : extent - 1 - inside;
}

/// The size of a cell that a header comment gives, in metres; empty if it gives none.
std::optional<double> cell_size_from_comment(const std::string& comment);

}  // namespace terrain
