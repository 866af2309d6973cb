#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "dash/algorithm/internal/matrix/Summa.h"

namespace dash::internal {

/// Indices that are next to each other in a product of blocks.
struct IndexSpan {
  std::ptrdiff_t first = 0;
  std::ptrdiff_t second = 0;  ///< if the extent is not 1
  std::ptrdiff_t extent = 0;
};

/// Indices of a dimension that one product of blocks takes together.
class IndexGroup {
 public:
  /// Of consecutive indices, within one block of each matrix.
  struct Piece {
    IndexRange range;
    std::ptrdiff_t position;  ///< in the group

    std::ptrdiff_t extent() const { return range.end - range.begin; }
    IndexSpan span() const { return {range.begin, range.begin + 1, extent()}; }
  };

  void add(const IndexRange& range) {
    _pieces.push_back({range, _extent});
    _extent += range.end - range.begin;
  }

  const std::vector<Piece>& pieces() const { return _pieces; }
  std::ptrdiff_t extent() const { return _extent; }
  std::ptrdiff_t begin() const { return _pieces.front().range.begin; }
  std::ptrdiff_t end() const { return _pieces.back().range.end; }
  IndexSpan span() const {
    const bool goes_on = _pieces.front().extent() > 1 || _pieces.size() == 1;
    return {begin(), goes_on ? begin() + 1 : _pieces[1].range.begin, _extent};
  }
  /// Whether all of it is in one block of that extent.
  bool is_in_block(std::ptrdiff_t block_extent) const {
    return end() - begin() == _extent && begin() / block_extent == (end() - 1) / block_extent;
  }

 private:
  std::vector<Piece> _pieces;
  std::ptrdiff_t _extent = 0;
};

/// Cuts ranges where blocks begin, and joins what is too small for a product of its own.
/// \param block_extents  of the matrices that have the dimension
/// \param most           the largest extent of a group
std::vector<IndexGroup> group_indices(const std::vector<IndexRange>& ranges,
                                      const std::array<std::ptrdiff_t, 2>& block_extents,
                                      std::ptrdiff_t most);

}  // namespace dash::internal
