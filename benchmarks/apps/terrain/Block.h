#pragma once

#include <cstddef>

namespace terrain {

/// What a unit knows of the cells around its block. A null pointer is a border of the whole
/// terrain, where the scheme mirrors: the neighbour outside has the elevation of the cell itself,
/// so nothing flows out.
struct Halo {
  const double* north = nullptr;  // the row above the block, as long as the block is wide
  const double* south = nullptr;
  const double* west = nullptr;  // the column left of the block, as long as the block is high
  const double* east = nullptr;
};

/// Extents of a unit's block, stored row by row without gaps, and on which sides it has neighbours.
struct Block {
  std::size_t rows = 0;
  std::size_t cols = 0;
  bool north = false;
  bool south = false;
  bool west = false;
  bool east = false;
};

/// Advances all cells that need no halo cell: those that have no neighbouring unit on any side.
/// Together with update_border it writes every cell of the block exactly once.
void update_inner(const Block& block, const double* src, double* dst, double alpha) noexcept;

/// Advances the remaining cells.
/// \param halo valid on every side where the block has a neighbour, null elsewhere
void update_border(const Block& block, const Halo& halo, const double* src, double* dst,
                   double alpha) noexcept;

}  // namespace terrain
