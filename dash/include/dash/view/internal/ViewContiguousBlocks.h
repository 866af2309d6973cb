#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/view/ViewIterator.h"
#include "dash/view/internal/LocalPart.h"
#include "dash/view/internal/Sources.h"

/// \file
/// Decomposes views that are not boxes of a container into contiguous blocks of memory, so that
/// algorithms and copies accept their iterators.

namespace dash::internal {

/// Position of an element in a view, from its index in the memory of its unit; -1 if it is not in
/// the view.
template <class It, class Map, class Index>
Index view_position(const GlobalSource<It>& source, const Map& map, team_unit_t unit,
                    Index local_index) {
  const auto& pattern = source.pattern();
  return map.find(pattern.coords(pattern.global(unit, local_index)));
}
template <class It, class Map, class Index>
Index view_position(const IteratorSource<It>& source, const Map& map, team_unit_t unit,
                    Index local_index) {
  return map.find({{position_of_local(source.first(), unit, local_index)}});
}

/// Position, in a range that begins at `first`, of the element with a given local index of a unit.
template <class Source, class Map>
auto position_of_local(const ViewIterator<Source, Map>& first, team_unit_t unit,
                       typename Map::index_type local_index) {
  return view_position(first.source(), first.map(), unit, local_index) - first.pos();
}

/// The longest contiguous block that starts at an iterator, limited to `limit` elements. Its global
/// indices are consecutive, like those of containers' blocks.
/// \cost an index mapping for each element
template <GlobalIterator It>
requires(!ContainerIterator<It>) auto next_contiguous_block(const It& it,
                                                            typename It::index_type limit) {
  using Index = typename It::index_type;
  const auto location = it.lpos();
  ElementBlock<Index> block{location.unit, location.index, 1, 0};
  for (It next = it + 1; block.length < limit; ++next, ++block.length) {
    const auto follower = next.lpos();
    if (follower.unit != block.unit || follower.index != block.index + block.length ||
        next.gpos() != it.gpos() + block.length)
      break;
  }
  return block;
}

/// Calls fn(local_index, length) for each contiguous block of local indices of a unit's elements of
/// a range.
/// \cost an index mapping and its inverse for each of the unit's elements of the view
template <class Source, class Map, class Fn>
requires(GlobalIterator<ViewIterator<Source, Map>>) void for_each_local_index_block(
    const ViewIterator<Source, Map>& first, const ViewIterator<Source, Map>& last, team_unit_t unit,
    Fn fn) {
  using Index = typename Map::index_type;
  const auto& pattern = first.pattern();
  if (unit < 0 || pattern.local_size(unit) == 0) return;
  const auto local = local_map(first.source(), unit, first.map());
  const bool whole = first.pos() == 0 && last.pos() == first.map().size();
  JoinedBlocks<Index, Fn> blocks(fn);
  for (Index i = 0; i < local.size(); ++i) {
    const Index index = linear_local_index(pattern, unit, local.coords_at(i));
    const Index position = whole ? 0 : position_of_local(first, unit, index);
    if (whole || (position >= 0 && position < last.pos() - first.pos())) blocks.add(index, 1);
  }
  blocks.finish();
}

}  // namespace dash::internal
