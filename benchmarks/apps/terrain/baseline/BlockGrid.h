#pragma once

#include <array>
#include <cstddef>

#include "solver/Block.h"

namespace terrain {

/// A side of a block. The opposite side is side ^ 1.
enum Side { north, south, west, east };
inline constexpr std::array sides{north, south, west, east};

inline Side opposite(Side side) {
  return static_cast<Side>(side ^ 1);
}
inline bool is_row(Side side) {
  return side == north || side == south;
}

/// A terrain divided into blocks on a row-major grid of processes, as dash::BLOCKED distributes it.
class BlockGrid {
 public:
  /// A block and the coordinates of its first cell.
  struct Subdomain {
    std::array<std::size_t, 2> first{};
    Block block;
  };

  /// \param extents  rows and columns of the terrain
  /// \param grid     rows and columns of the grid of processes
  BlockGrid(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid);

  int processes() const { return _grid[0] * _grid[1]; }
  const std::array<std::size_t, 2>& extents() const { return _extents; }
  Subdomain subdomain_of(int process) const;
  /// \pre the process has a neighbour on that side
  int neighbour(int process, Side side) const;
  /// The number of cells on the longest side of any block.
  std::size_t max_side_length() const;

 private:
  std::size_t block_extent(std::size_t dimension) const;

  std::array<std::size_t, 2> _extents;
  std::array<int, 2> _grid;
};

/// The number of cells on a side.
inline std::size_t length(const Block& block, Side side) {
  return is_row(side) ? block.cols : block.rows;
}
inline bool has_neighbour(const Block& block, Side side) {
  const std::array has{block.north, block.south, block.west, block.east};
  return has[static_cast<std::size_t>(side)];
}

}  // namespace terrain
