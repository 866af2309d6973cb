#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace terrain {

/// A greyscale image with 8 or 16 bits per sample, row by row from the top.
/// \see https://netpbm.sourceforge.net/doc/pgm.html (raw form, "P5"; 16-bit samples are big-endian)
struct Pgm {
  std::size_t rows = 0;
  std::size_t cols = 0;
  unsigned maxval = 65535;            // 1 to 65535; up to 255, a sample has one byte in the file
  std::vector<std::string> comments;  // comments of the header, without the '#'
  std::vector<std::uint16_t> samples;
};

/// Reads a raw PGM file.
/// \throws UserError if the file cannot be opened, is not a raw PGM file, has invalid values in its
///         header, or is truncated
Pgm read_pgm(const std::string& path);

/// Writes a raw PGM file, with 16 bits per sample if maxval is above 255. The header contains the
/// comments.
/// \throws UserError if the file cannot be written
void write_pgm(const std::string& path, const Pgm& image);

}  // namespace terrain
