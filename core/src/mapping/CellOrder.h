#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "BlockShapes.h"
#include "dash/core/mapping/GridMapping.h"

namespace dash::core::mapping {

/// Orders the cells of a grid block by block along a generalized Hilbert curve, and recursively within each
/// block.
class CellOrder {
 public:
  explicit CellOrder(const Grid& grid);

  /// \param shapes  extents of the blocks of each level, beginning with the largest blocks; if
  ///                empty, one curve passes through all cells
  /// \returns all positions, each once
  std::vector<std::uint32_t> order(const std::vector<Extents>& shapes);

 private:
  void append(std::uint32_t corner, const Extents& box, std::size_t level);
  /// A curve through a box of the given extents, as offsets of its cells in the grid.
  const std::vector<std::uint32_t>& curve(const Extents& box);
  /// A block of a box: offset of its corner, and its extents.
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
