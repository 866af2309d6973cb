#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "dash/GlobPtr.h"
#include "dash/Types.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/iterator/GlobIter.h"
#include "dash/iterator/GlobViewIter.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/memory/GlobalSegment.h"

namespace dash::internal {

/// Consecutive elements of a global range that are contiguous in the memory of one unit.
template <class Index>
struct ElementBlock {
  team_unit_t unit;
  Index index;     ///< of the first element in the unit's memory
  Index length;    ///< elements
  Index position;  ///< of the first element in the range
};

/// The longest run that starts at an iterator and ends before `limit` elements. Inlined, so that the
/// iterator need not be in memory.
template <class T, class Pattern, class Mem, class P, class R>
[[gnu::always_inline]] inline auto next_run(const GlobIter<T, Pattern, Mem, P, R>& it,
                                            typename Pattern::index_type limit) {
  auto run = it.pattern().run_at(it.pos());
  run.length = std::min(run.length, limit);
  return run;
}

/// \overload
template <class T, class Pattern, class Mem, class P, class R>
auto next_run(const GlobViewIter<T, Pattern, Mem, P, R>& it, typename Pattern::index_type limit) {
  auto run = it.pattern().run_at(it.rpos(), it.viewspec());
  run.length = std::min(run.length, limit);
  return run;
}

/// Calls fn(ElementBlock) for each run of a global range, in order.
/// \cost one mapping of an index to its owner for each run
template <GlobalIterator GlobIt, class Fn>
void for_each_element_run(const GlobIt& first, const GlobIt& last, Fn fn) {
  using Index = typename GlobIt::index_type;
  const Index size = last - first;
  GlobIt it = first;
  for (Index position = 0; position < size;) {
    const auto run = next_run(it, size - position);
    fn(ElementBlock<Index>{run.unit, run.index, run.length, position});
    position += run.length;
    it += run.length;
  }
}

/// The one decomposition of a global range: calls fn(gptr, nelem, position) for each run of
/// consecutive elements that are contiguous in the memory of one unit, in order. `gptr` is a
/// dart_gptr_t, `position` that of the run's first element in the range.
template <GlobalIterator GlobIt, class Fn>
void for_each_run(const GlobIt& first, const GlobIt& last, Fn fn) {
  using T = typename GlobIt::value_type;
  if (!(first < last)) return;
  for_each_element_run(first, last, [&](const auto& run) {
    fn(element_gptr<T>(first.globmem(), run.unit, run.index), static_cast<std::size_t>(run.length),
       static_cast<std::size_t>(run.position));
  });
}

/// What starts at a pointer and ends before `limit` elements, in the memory of one unit.
template <class T>
gptrdiff_t pointer_run(GptrWords gptr, gptrdiff_t limit) {
  const auto* segment = GlobalSegment::find(gptr);
  const auto unit = static_cast<std::size_t>(gptr.unit());
  // A range that goes beyond the last unit is refused by who moves it.
  if (segment == nullptr || unit >= segment->sizes().nunits()) return limit;
  const auto nbytes = segment->sizes().of(unit) - gptr.offset;
  return std::clamp<gptrdiff_t>(static_cast<gptrdiff_t>(nbytes / sizeof(T)), 1, limit);
}

/// \overload for pointers: a run is what one unit has
template <class T, class GlobMemT, class Fn>
void for_each_run(const GlobPtr<T, GlobMemT>& first, const GlobPtr<T, GlobMemT>& last, Fn fn) {
  // A pointer behind the last element of a unit becomes one to the first of the next.
  GptrWords gptr = advance(first.words(), 0);
  const auto size = last - first;
  for (gptrdiff_t position = 0; position < size;) {
    const gptrdiff_t nelem = pointer_run<T>(gptr, size - position);
    fn(gptr.gptr(), static_cast<std::size_t>(nelem), static_cast<std::size_t>(position));
    position += nelem;
    gptr = advance(gptr, nelem * static_cast<gptrdiff_t>(sizeof(T)));
  }
}

/// Where a run of a global range begins, and its elements.
struct GlobalBlock {
  GptrWords gptr;
  std::ptrdiff_t nelem;
};

/// The longest run that starts at an iterator or a pointer and ends before `limit` elements.
template <GlobalIterator GlobIt>
GlobalBlock global_run(const GlobIt& it, std::ptrdiff_t limit) {
  using Index = typename GlobIt::index_type;
  const auto run = next_run(it, static_cast<Index>(limit));
  const auto offset = static_cast<std::uint64_t>(run.index) * sizeof(typename GlobIt::value_type);
  return {it.globmem().words_at(run.unit, offset), static_cast<std::ptrdiff_t>(run.length)};
}
/// \overload
template <class T, class GlobMemT>
GlobalBlock global_run(const GlobPtr<T, GlobMemT>& pointer, std::ptrdiff_t limit) {
  const GptrWords gptr = advance(pointer.words(), 0);
  return {gptr, pointer_run<T>(gptr, limit)};
}

}  // namespace dash::internal
