#pragma once

#include <cstdint>
#include <vector>

#include "dash/core/mapping/GridMapping.h"

namespace dash::core::mapping {

using Extents = std::vector<std::uint32_t>;

/// A partition of a box of cells into blocks.
struct BlockShape {
  Extents extents;       ///< extents of a block
  double cut = 0;        ///< weight of the edges between blocks
  bool divides = false;  ///< whether the blocks divide the box evenly
};

/// Number of blocks in an extent. If they do not fit, the blocks become slightly larger or smaller.
std::uint32_t num_blocks(std::uint32_t extent, std::uint32_t block);

/// All shapes of blocks with the given number of cells that fit into the box, sorted by `cut`.
/// \param box  the extents, periodicity and weights
std::vector<BlockShape> block_shapes(const Grid& box, std::uint32_t cells);

}  // namespace dash::core::mapping
