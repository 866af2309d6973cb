#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Types.h"
#include "dash/internal/Unit.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/pattern/PatternProperties.h"
#include "dash/view/internal/IndexMap.h"
#include "dash/view/internal/Sources.h"

/// \file
/// Determines which elements of a view a unit owns, as a map to the unit's memory.

namespace dash::internal {

/// Whether the owner of an element can be determined dimension by dimension, so that a unit's
/// elements of a box are a box of its local coordinates. False if units are assigned along
/// diagonals.
template <class Pattern>
inline constexpr bool is_separable = Pattern::ndim() == 1 || Pattern::mapping_type::has_local_boxes;

/// Number of coordinates in the memory of a unit: of local coordinates, or 1 for a linear index.
template <class Pattern>
inline constexpr dim_t local_ndim = is_separable<Pattern> ? Pattern::ndim() : 1;

/// The local coordinates of a map's elements in one dimension.
template <class Pattern, class Map>
auto local_coordinates(const LocalDimension<Pattern>& dimension, std::size_t d, const Map& map) {
  using Index = typename Pattern::index_type;
  const auto [extent, stride] = map.progression(d);
  IndexList<Index> result;
  Index first = 0;
  Index last = dimension.extent();
  if constexpr (Map::spacing != Spacing::listed) {
    const Index base = map.base()[d];
    first = dimension.lower_bound(base);
    last = dimension.lower_bound(base + (extent - 1) * stride + 1);
  }
  for (Index local = first; local < last; ++local) {
    if (map.find(d, dimension.global(local)) >= 0) result.append(local, 1);
  }
  return result;
}

/// A unit's elements of a map to global coordinates, as a map to local coordinates.
/// \cost of a box: a logarithmic number of index mappings; of a strided box: one for each local
///         coordinate of each dimension in its range
template <class Pattern, class Map>
auto local_box(const Pattern& pattern, team_unit_t unit, const Map& map) {
  using Index = typename Pattern::index_type;
  constexpr auto N = static_cast<std::size_t>(Pattern::ndim());
  const bool is_member =
      unit >= 0 && static_cast<typename Pattern::size_type>(unit.id) <
                       static_cast<typename Pattern::size_type>(pattern.num_units());
  const auto local_extents =
      is_member ? pattern.local_extents(unit) : typename Pattern::extents_type{};
  bool empty = map.size() == 0;
  for (std::size_t d = 0; d < N; ++d)
    empty = empty || local_extents[d] == 0;

  const auto dimension = [&](std::size_t d) {
    return LocalDimension<Pattern>(pattern, unit, d, static_cast<Index>(local_extents[d]));
  };
  if constexpr (Map::spacing == Spacing::unit) {
    typename Map::coords_type base{};
    typename Map::view_coords_type extents{};
    std::array<Index, N> available{};
    for (std::size_t d = 0; d < N && !empty; ++d) {
      const Index begin = map.base()[d];
      base[d] = dimension(d).lower_bound(begin);
      available[d] = dimension(d).lower_bound(begin + map.progression(d).first) - base[d];
      empty = available[d] == 0;
    }
    for (std::size_t m = 0; m < extents.size() && !empty; ++m)
      extents[m] = available[map.dim(m)];
    return Map(map, base, extents, {});
  } else {
    using Listed = IndexMap<Map::ndim, Map::origin_ndim, Index, Spacing::listed>;
    typename Listed::lists_type lists;
    for (std::size_t d = 0; d < N && !empty; ++d) {
      lists[d] = local_coordinates(dimension(d), d, map);
      empty = lists[d].size() == 0;
    }
    if (empty) lists = {};
    return Listed(map, std::move(lists));
  }
}

/// A unit's elements of a range of global iterators, as sorted indices in the unit's memory.
template <class It, class Map>
auto local_list_of_range(const It& first, team_unit_t unit, const Map& map) {
  using Index = typename Map::index_type;
  std::vector<ElementBlock<Index>> runs;
  if constexpr (Map::spacing == Spacing::unit) {
    const It begin = first + map.base()[0];
    for_each_element_block(begin, begin + map.size(), [&](const auto& run) {
      if (run.unit == unit) runs.push_back(run);
    });
  } else {
    for (Index i = 0; i < map.size(); ++i) {
      const auto location = (first + map.coordinate(0, i)).lpos();
      if (location.unit == unit) runs.push_back({unit, location.index, 1, i});
    }
  }
  std::sort(runs.begin(), runs.end(),
            [](const auto& a, const auto& b) { return a.index < b.index; });
  IndexList<Index> list;
  for (const auto& run : runs)
    list.append(run.index, run.length);
  return list;
}

/// The same for a map to global coordinates, in a pattern that is not separable.
template <class It, class Map>
auto local_list_of_box(const GlobalSource<It>& source, team_unit_t unit, const Map& map) {
  using Index = typename Map::index_type;
  using Pattern = typename It::pattern_type;
  typename Pattern::extents_type extents{};
  typename Pattern::coords_type base{};
  bool empty = map.size() == 0;
  for (std::size_t d = 0; d < extents.size() && !empty; ++d) {
    const auto [extent, stride] = map.progression(d);
    base[d] = map.base()[d];
    extents[d] = static_cast<typename Pattern::size_type>((extent - 1) * stride + 1);
  }
  IndexList<Index> list;
  if (empty) return list;
  using BoxIter = typename BoxIterOf<It>::type;
  const typename Pattern::viewspec_type box(base, extents);
  const BoxIter first(source.globmem(), source.pattern(), box, 0);
  const IndexMap<1, 1, Index, Spacing::unit> whole({{0}}, {{static_cast<Index>(box.size())}});
  auto in_box = local_list_of_range(first, unit, whole);
  if constexpr (Map::spacing == Spacing::unit) {
    return in_box;
  } else {
    const auto& pattern = source.pattern();
    for (Index i = 0; i < in_box.size(); ++i) {
      const Index local = in_box[i];
      if (map.find(pattern.coords(pattern.global(unit, local))) >= 0) list.append(local, 1);
    }
    return list;
  }
}

/// A unit's elements of a source, as a map to its local coordinates.
template <class It, class Map>
auto local_map(const GlobalSource<It>& source, team_unit_t unit, const Map& map) {
  if constexpr (is_separable<typename It::pattern_type>) {
    return local_box(source.pattern(), unit, map);
  } else {
    return listed_map(local_list_of_box(source, unit, map));
  }
}
template <class It, class Map>
auto local_map(const IteratorSource<It>& source, team_unit_t unit, const Map& map) {
  return listed_map(local_list_of_range(source.first(), unit, map));
}

/// Number of coordinates that local_map() maps to: those of the pattern, or 1 for a linear index.
template <class Source>
inline constexpr dim_t local_source_ndim = 1;
template <class It>
inline constexpr dim_t local_source_ndim<GlobalSource<It>> = local_ndim<typename It::pattern_type>;

/// The global memory of a source.
template <class It>
auto* globmem_of(const GlobalSource<It>& source) {
  return source.globmem();
}
template <class It>
auto* globmem_of(const IteratorSource<It>& source) {
  return &source.first().globmem();
}
template <class It>
It glob_iter_of(const GlobalSource<It>&);
template <ContainerIterator It>
GlobIterOf<It> glob_iter_of(const IteratorSource<It>&);

}  // namespace dash::internal
