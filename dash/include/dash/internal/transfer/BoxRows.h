#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "dash/Types.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/iterator/GlobViewIter.h"

namespace dash::internal {

/// Runs that follow each other in a box: of equal length, at equal distances in the memory of one
/// unit. All in elements.
template <class Run, class Index>
struct BoxRows {
  Run run;  ///< the first
  Index stride;
  Index count;
};

/// How many dimensions, from the contiguous one on, a run of so many elements has as the box has them:
/// all of each; 0 if it is not of whole ones.
template <class Pattern>
std::size_t dimensions_of_run(const typename Pattern::viewspec_type& view,
                              const typename Pattern::coords_type& first,
                              typename Pattern::index_type length) {
  constexpr std::size_t N = Pattern::ndim();
  typename Pattern::index_type whole = 1;
  for (std::size_t n = 1; n < N; ++n) {
    const dim_t dim = Pattern::memory_order() == ROW_MAJOR ? N - n : n - 1;
    if (first[dim] != view.offset(dim)) return 0;
    whole *= static_cast<typename Pattern::index_type>(view.extent(dim));
    if (whole == length) return n;
    if (whole > length) return 0;
  }
  return 0;
}

/// The rows from an iterator on, before `limit` elements. Within a block of a pattern the elements of a
/// dimension are at equal distances, so that one look at the pattern tells of all of its rows.
/// \cost as next_run(), three times that if there are several
template <class T, class Pattern, class Mem, class P, class R>
auto next_rows(const GlobViewIter<T, Pattern, Mem, P, R>& it, typename Pattern::index_type limit) {
  using Index = typename Pattern::index_type;
  constexpr std::size_t N = Pattern::ndim();
  constexpr Index worth_looking = 4;
  const auto run = next_run(it, limit);
  using Rows = BoxRows<std::remove_const_t<decltype(run)>, Index>;
  const Rows one{run, run.length, 1};
  if (N == 1 || limit < worth_looking * run.length) return one;

  const Pattern& pattern = it.pattern();
  const auto& view = it.viewspec();
  auto coords = pattern.coords(it.rpos(), view);
  const std::size_t n = dimensions_of_run<Pattern>(view, coords, run.length);
  if (n == 0) return one;
  const dim_t dim = Pattern::memory_order() == ROW_MAJOR ? N - 1 - n : n;
  const auto blocksize = static_cast<Index>(pattern.blocksize(dim));
  const Index end = std::min<Index>((coords[dim] / blocksize + 1) * blocksize, view.range(dim).end);
  const Index count = std::min(end - coords[dim], limit / run.length);
  if (count < worth_looking) return one;

  ++coords[dim];
  const auto second = pattern.local_index(coords);
  coords[dim] += count - 2;
  const auto last = pattern.local_index(coords);
  const Index stride = second.index - run.index;
  const bool is_regular = second.unit == run.unit && last.unit == run.unit && stride > 0 &&
                          last.index == run.index + (count - 1) * stride;
  if (!is_regular) return one;
  return Rows{run, stride, count};
}

}  // namespace dash::internal
