#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "input/Field.h"

namespace terrain {

/// A digital elevation model: one elevation in whole metres per cell; row 0 is the north.
struct Dem {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::optional<double> cell_size;  // metres; empty if the file does not specify it
  std::vector<std::uint16_t> elevations;
};

/// Reads an elevation model from a PGM file whose samples are metres. A comment "cell 0.000833333
/// deg" or "cell 92.6 m" in its header specifies the size of a cell; degrees are degrees of
/// latitude.
/// \throws UserError  like read_pgm
Dem read_dem(const std::string& path);

/// Writes elevations as a PGM file that read_dem can read: rounded to whole metres and clamped to 0
/// to 65535.
/// \param cell_size  metres
/// \throws UserError if the file cannot be written
void write_dem(const std::string& path, const Field& elevation, double cell_size);

/// Maps position \p i in a sequence of copies of a model to an index in the model of \p extent
/// cells. Every second copy is mirrored: 0 1 2 | 2 1 0 | 0 1 2 ... Neighbouring copies have equal
/// cells at the seam, so tiling creates no cliffs.
constexpr std::size_t mirrored_index(std::size_t i, std::size_t extent) {
  const auto copy = i / extent;
  const auto inside = i % extent;
  return copy % 2 == 0 ? inside : extent - 1 - inside;
}

/// The size of a cell in metres that a header comment specifies; empty if it specifies none.
std::optional<double> cell_size_from_comment(const std::string& comment);

}  // namespace terrain
