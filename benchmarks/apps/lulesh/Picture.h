#pragma once

#include <array>
#include <span>
#include <string>

#include "Mesh.h"

namespace lulesh {

/// An element as the plane z = 0 shows it: its corners in turn, and its energy.
struct Cell {
  std::array<double, 4> x;
  std::array<double, 4> y;
  double energy;
  bool exists;
};

/// What a picture says of its run.
struct PictureFacts {
  Int3 elements;
  long cycles;
  double time;
};

/// Draws the cells where they have moved to, coloured by the logarithm of their energy, and writes
/// them as a PNG file.
/// \throws UserError if the file cannot be written
void write_picture(const std::string& path, std::span<const Cell> cells, const PictureFacts& facts);

}  // namespace lulesh
