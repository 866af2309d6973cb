#pragma once

#include <cstddef>

namespace terrain {

/// The cells around a unit's block. A null pointer denotes a border of the whole terrain, where the
/// scheme mirrors: the neighbour outside has the elevation of the cell itself, so there is no flow
/// across the border.
struct Halo {
  const double* north = nullptr;  // the row above the block; one cell for each column of the block
  const double* south = nullptr;
  const double* west = nullptr;  // the column left of the block; one cell for each row of the block
  const double* east = nullptr;
};

/// Extents of a unit's block, which is contiguous in row-major order, and the sides on which it has
/// neighbours.
struct Block {
  std::size_t rows = 0;
  std::size_t cols = 0;
  bool north = false;
  bool south = false;
  bool west = false;
  bool east = false;
};

/// Advances all cells that do not need halo cells. update_inner and update_border together write
/// every cell of the block exactly once.
void update_inner(const Block& block, const double* src, double* dst, double alpha) noexcept;

/// Advances the remaining cells, those next to neighbouring units.
/// \param halo  valid on every side where the block has a neighbour, null elsewhere
void update_border(const Block& block, const Halo& halo, const double* src, double* dst,
                   double alpha) noexcept;

}  // namespace terrain
