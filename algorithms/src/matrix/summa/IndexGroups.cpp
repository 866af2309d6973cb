#include "matrix/summa/IndexGroups.h"

#include <algorithm>

namespace dash::internal {

namespace {

/// Extent from which on blocks are multiplied as they are: below, the copies that join them cost
/// less than what small products lose.
constexpr std::ptrdiff_t least_alone = 128;
/// The largest extent of what is joined.
constexpr std::ptrdiff_t most_joined = 512;

std::ptrdiff_t next_multiple(std::ptrdiff_t index, std::ptrdiff_t of) {
  return (index / of + 1) * of;
}

}  // namespace

std::vector<IndexGroup> group_indices(const std::vector<IndexRange>& ranges,
                                      const std::array<std::ptrdiff_t, 2>& block_extents,
                                      std::ptrdiff_t most) {
  std::vector<IndexGroup> groups;
  bool may_join = false;
  const auto add = [&](const IndexRange& piece) {
    const std::ptrdiff_t extent = piece.end - piece.begin;
    const bool joins = extent < least_alone && may_join &&
                       groups.back().extent() + extent <= std::min(most, most_joined);
    if (!joins) groups.emplace_back();
    groups.back().add(piece);
    may_join = extent < least_alone;
  };
  for (const IndexRange& range : ranges) {
    for (std::ptrdiff_t begin = range.begin; begin < range.end;) {
      const std::ptrdiff_t block_end = std::min({range.end, next_multiple(begin, block_extents[0]),
                                                 next_multiple(begin, block_extents[1])});
      // In parts of about the same extent.
      const std::ptrdiff_t nparts = (block_end - begin + most - 1) / most;
      const std::ptrdiff_t end = begin + (block_end - begin + nparts - 1) / nparts;
      add({begin, end});
      begin = end;
    }
  }
  return groups;
}

}  // namespace dash::internal
