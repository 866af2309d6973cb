#pragma once

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

/// The longest run that starts at a position of a box, in the order of the pattern.
/// \pre 0 <= position < view.size()
template <class Pattern>
auto run_in_view(const Pattern& pattern, const typename Pattern::viewspec_type& view,
                 typename Pattern::index_type position) {
  const auto run = pattern.run_at(pattern.coords(position, view), view);
  return PlacedRun<decltype(run.unit), typename Pattern::index_type>{run.unit, run.index,
                                                                     run.length};
}

}  // namespace dash::internal
