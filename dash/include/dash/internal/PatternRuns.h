#pragma once

#include <algorithm>
#include <cstddef>

#include "dash/Types.h"

namespace dash::internal {

/// Consecutive positions of a range whose elements are contiguous in the memory of one unit.
template <class Unit, class Index>
struct PlacedRun {
  Unit unit;
  Index index;   ///< of the first element in the unit's memory
  Index length;  ///< elements
};

/// The longest run that starts at a linear global index.
/// \pre 0 <= position < size()
template <class Pattern>
auto run_in_range(const Pattern& pattern, typename Pattern::index_type position) {
  const auto run = pattern.run_at(position);
  return PlacedRun<decltype(run.unit), typename Pattern::index_type>{run.unit, run.index,
                                                                     run.length};
}

/// The longest run that starts at a position of a box, of a pattern whose linear global index is
/// canonical over all extents.
template <class Pattern>
auto run_in_canonical_view(const Pattern& pattern, const typename Pattern::viewspec_type& view,
                           typename Pattern::index_type position) {
  using Index = typename Pattern::index_type;
  constexpr std::size_t N = Pattern::ndim();
  const auto order = [](std::size_t i) {
    return Pattern::memory_order() == ROW_MAJOR ? i : N - 1 - i;
  };
  // What is consecutive both in the box and in the whole range: up to the end of the box in the
  // first dimension, from the contiguous one on, that the box does not cover.
  Index stride = 1;
  Index above = position;
  std::size_t i = N - 1;
  for (; i > 0 && view.extents()[order(i)] == pattern.extents()[order(i)]; --i) {
    stride *= static_cast<Index>(view.extents()[order(i)]);
    above /= static_cast<Index>(view.extents()[order(i)]);
  }
  const Index within_stride = position - above * stride;
  const auto extent = static_cast<Index>(view.extents()[order(i)]);
  const Index in_view = (extent - above % extent) * stride - within_stride;
  auto run = run_in_range(pattern, pattern.global_at(pattern.coords(position, view)));
  run.length = std::min(run.length, in_view);
  return run;
}

/// The longest run that starts at a position of a box, in the order of the pattern.
/// \pre 0 <= position < view.size()
template <class Pattern>
auto run_in_view(const Pattern& pattern, const typename Pattern::viewspec_type& view,
                 typename Pattern::index_type position) {
  if constexpr (requires { pattern.run_at(pattern.coords(position, view), view); }) {
    const auto run = pattern.run_at(pattern.coords(position, view), view);
    return PlacedRun<decltype(run.unit), typename Pattern::index_type>{run.unit, run.index,
                                                                       run.length};
  } else {
    return run_in_canonical_view(pattern, view, position);
  }
}

}  // namespace dash::internal
