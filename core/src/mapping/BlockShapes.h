#pragma once

#include <cstdint>
#include <vector>

#include "dash/core/mapping/GridMapping.h"

namespace dash::core::mapping {

using Extents = std::vector<std::uint32_t>;

/// A way to cut a box of cells into blocks.
struct BlockShape {
  Extents extents;       ///< of one block
  double cut = 0;        ///< what crosses the boundaries between blocks
  bool divides = false;  ///< whether the box is made of whole blocks
};

/// Into how many blocks an extent is cut: blocks that do not fit become a little larger or smaller.
std::uint32_t num_blocks(std::uint32_t extent, std::uint32_t block);

/// All shapes of blocks of so many cells, no longer than the box in any dimension, those that cut the
/// least first.
/// \param box  of cells, with their neighbours and weights
std::vector<BlockShape> block_shapes(const Grid& box, std::uint32_t cells);

}  // namespace dash::core::mapping
