#include "matrix/summa/IndexGroups.h"

#include <algorithm>

namespace dash::internal {

namespace {

/// Minimum extent of a block that is multiplied separately. Smaller blocks are joined: the copy
/// costs less than separate products of small blocks.
constexpr std::ptrdiff_t min_separate_extent = 128;
/// Maximum extent of joined blocks.
constexpr std::ptrdiff_t max_joined_extent = 512;

std::ptrdiff_t next_multiple(std::ptrdiff_t index, std::ptrdiff_t of) {
  return (index / of + 1) * of;
}

}  // namespace

std::vector<IndexGroup> group_indices(const std::vector<IndexRange>& ranges,
                                      const std::array<std::ptrdiff_t, 2>& block_extents,
                                      std::ptrdiff_t max_extent) {
  std::vector<IndexGroup> groups;
  bool may_join = false;
  const auto add = [&](const IndexRange& block) {
    const std::ptrdiff_t extent = block.end - block.begin;
    const bool joins = extent < min_separate_extent && may_join &&
                       groups.back().extent() + extent <= std::min(max_extent, max_joined_extent);
    if (!joins) groups.emplace_back();
    groups.back().add(block);
    may_join = extent < min_separate_extent;
  };
  for (const IndexRange& range : ranges) {
    for (std::ptrdiff_t begin = range.begin; begin < range.end;) {
      const std::ptrdiff_t block_end = std::min({range.end, next_multiple(begin, block_extents[0]),
                                                 next_multiple(begin, block_extents[1])});
      // Divided into parts of about the same extent.
      const std::ptrdiff_t nparts = (block_end - begin + max_extent - 1) / max_extent;
      const std::ptrdiff_t end = begin + (block_end - begin + nparts - 1) / nparts;
      add({begin, end});
      begin = end;
    }
  }
  return groups;
}

}  // namespace dash::internal
