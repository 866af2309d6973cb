#pragma once

#include <array>
#include <span>
#include <string>

#include "mesh/Mesh.h"

namespace lulesh {

/// An element in the plane z = 0: its corners in order around the face, and its energy.
struct Cell {
  std::array<double, 4> x;
  std::array<double, 4> y;
  double energy;
  bool exists;
};

/// Facts of the run for the caption of a picture.
struct PictureFacts {
  Int3 elements;
  long cycles;
  double time;
};

/// Draws the cells at their current positions, colored by the logarithm of their energy, and
/// writes a PNG file.
/// \throws UserError if the file cannot be written
void write_picture(const std::string& path, std::span<const Cell> cells, const PictureFacts& facts);

}  // namespace lulesh
