#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace terrain {

/// A grey map of 8 or 16 bits a sample, row by row from the top.
/// \see https://netpbm.sourceforge.net/doc/pgm.html (raw form, "P5"; 16-bit samples are big-endian)
struct Pgm {
  std::size_t rows = 0;
  std::size_t cols = 0;
  unsigned maxval = 65535;            // 1 to 65535; up to 255 a sample is one byte in the file
  std::vector<std::string> comments;  // of the header, without the '#'
  std::vector<std::uint16_t> samples;
};

/// Reads a raw grey map.
/// \throws UserError if the file cannot be opened, is no raw PGM, has a header out of bounds, or
///         ends early
Pgm read_pgm(const std::string& path);

/// Writes a raw grey map, 16 bits a sample if maxval is above 255. The comments go into the header.
/// \throws UserError if the file cannot be written
void write_pgm(const std::string& path, const Pgm& image);

}  // namespace terrain
