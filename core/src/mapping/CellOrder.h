#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "BlockShapes.h"
#include "dash/core/mapping/GridMapping.h"

namespace dash::core::mapping {

/// The cells of a grid, block by block along a Hilbert-like curve, and so within each block.
class CellOrder {
 public:
  explicit CellOrder(const Grid& grid);

  /// \param shapes  of blocks, the largest first; none: a curve through all cells
  /// \returns all positions, each once
  std::vector<std::uint32_t> order(const std::vector<Extents>& shapes);

 private:
  void append(std::uint32_t corner, const Extents& box, std::size_t level);
  /// A curve through a box of these extents, as offsets of its cells in the grid.
  const std::vector<std::uint32_t>& curve(const Extents& box);
  /// The blocks of a box along a curve: corner and extents of each.
  struct Block {
    std::uint32_t offset;
    Extents extents;
  };
  const std::vector<Block>& blocks(const Extents& box, std::size_t level);

  Extents _whole;
  Extents _strides;
  std::vector<Extents> _shapes;
  std::vector<std::uint32_t> _cells;
  std::map<Extents, std::vector<std::uint32_t>> _curves;
  std::vector<std::map<Extents, std::vector<Block>>> _blocks;  // by level
};

}  // namespace dash::core::mapping
