#pragma once

#include <array>
#include <cstddef>

#include "Block.h"

namespace terrain {

/// Where a block lies on another one. The opposite side is side ^ 1.
enum Side { north, south, west, east };
inline constexpr std::array sides{north, south, west, east};

inline Side opposite(Side side) {
  return static_cast<Side>(side ^ 1);
}
inline bool is_row(Side side) {
  return side == north || side == south;
}

/// A terrain in blocks on a grid of processes, row by row, as dash::BLOCKED deals it.
class Blocks {
 public:
  /// A block and where it is.
  struct Place {
    std::array<std::size_t, 2> first{};
    Block block;
  };

  /// \param extents rows and columns of the terrain
  /// \param grid    processes down and across
  Blocks(const std::array<std::size_t, 2>& extents, const std::array<int, 2>& grid);

  int processes() const { return _grid[0] * _grid[1]; }
  const std::array<std::size_t, 2>& extents() const { return _extents; }
  Place place_of(int process) const;
  /// \pre the process has one there
  int neighbour(int process, Side side) const;
  /// Cells of the longest side of any block.
  std::size_t longest() const;

 private:
  std::size_t most(std::size_t dimension) const;

  std::array<std::size_t, 2> _extents;
  std::array<int, 2> _grid;
};

/// Cells of a side.
inline std::size_t length(const Block& block, Side side) {
  return is_row(side) ? block.cols : block.rows;
}
inline bool has_neighbour(const Block& block, Side side) {
  const std::array has{block.north, block.south, block.west, block.east};
  return has[static_cast<std::size_t>(side)];
}

}  // namespace terrain
