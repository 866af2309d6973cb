#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "dash/algorithm/internal/matrix/Summa.h"

namespace dash::internal {

/// The first two indices and the number of indices of a group, from which strides are computed.
struct IndexSpan {
  std::ptrdiff_t first = 0;
  std::ptrdiff_t second = 0;  ///< if the extent is not 1
  std::ptrdiff_t extent = 0;
};

/// Indices of a dimension that are processed together in one product of blocks.
class IndexGroup {
 public:
  /// Consecutive indices within one block of each matrix.
  struct Block {
    IndexRange range;
    std::ptrdiff_t position;  ///< in the group

    std::ptrdiff_t extent() const { return range.end - range.begin; }
    IndexSpan span() const { return {range.begin, range.begin + 1, extent()}; }
  };

  void add(const IndexRange& range) {
    _blocks.push_back({range, _extent});
    _extent += range.end - range.begin;
  }

  const std::vector<Block>& blocks() const { return _blocks; }
  std::ptrdiff_t extent() const { return _extent; }
  std::ptrdiff_t begin() const { return _blocks.front().range.begin; }
  std::ptrdiff_t end() const { return _blocks.back().range.end; }
  IndexSpan span() const {
    const bool is_consecutive = _blocks.front().extent() > 1 || _blocks.size() == 1;
    return {begin(), is_consecutive ? begin() + 1 : _blocks[1].range.begin, _extent};
  }
  /// Whether the group is consecutive and within one block of the given extent.
  bool is_in_block(std::ptrdiff_t block_extent) const {
    return end() - begin() == _extent && begin() / block_extent == (end() - 1) / block_extent;
  }

 private:
  std::vector<Block> _blocks;
  std::ptrdiff_t _extent = 0;
};

/// Divides ranges at block boundaries, and joins blocks that are too small for a separate product.
/// \param block_extents  block extents of the two matrices that share the dimension
/// \param max_extent  maximum extent of a group
std::vector<IndexGroup> group_indices(const std::vector<IndexRange>& ranges,
                                      const std::array<std::ptrdiff_t, 2>& block_extents,
                                      std::ptrdiff_t max_extent);

}  // namespace dash::internal
