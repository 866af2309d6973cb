#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "dash/Types.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/iterator/GlobViewIter.h"

namespace dash::internal {

/// Consecutive rows of a box: contiguous blocks of equal length at equal distances in the memory of
/// one unit. All sizes in elements.
template <class Row, class Index>
struct BoxRows {
  Row first_row;  ///< the first row
  Index stride;
  Index count;
};

/// The number of dimensions, starting with the contiguous one, that a contiguous block of `length`
/// elements covers completely; 0 if it does not consist of complete dimensions.
template <class Pattern>
std::size_t num_whole_dimensions(const typename Pattern::viewspec_type& view,
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

/// The rows that start at an iterator and contain at most `limit` elements. Within a block of a
/// pattern, neighbours in a dimension have equal distances, so one lookup in the pattern describes
/// all rows of that block.
/// \cost as next_contiguous_block(), three times that if there are several rows
template <class T, class Pattern, class Mem, class P, class R>
auto next_rows(const GlobViewIter<T, Pattern, Mem, P, R>& it, typename Pattern::index_type limit) {
  using Index = typename Pattern::index_type;
  constexpr std::size_t N = Pattern::ndim();
  constexpr Index min_rows = 4;
  const auto first_row = next_contiguous_block(it, limit);
  using Rows = BoxRows<std::remove_const_t<decltype(first_row)>, Index>;
  const Rows single_row{first_row, first_row.length, 1};
  if (N == 1 || limit < min_rows * first_row.length) return single_row;

  const Pattern& pattern = it.pattern();
  const auto& view = it.viewspec();
  auto coords = pattern.coords(it.rpos(), view);
  const std::size_t n = num_whole_dimensions<Pattern>(view, coords, first_row.length);
  if (n == 0) return single_row;
  const dim_t dim = Pattern::memory_order() == ROW_MAJOR ? N - 1 - n : n;
  const auto blocksize = static_cast<Index>(pattern.blocksize(dim));
  const Index end = std::min<Index>((coords[dim] / blocksize + 1) * blocksize, view.range(dim).end);
  const Index count = std::min(end - coords[dim], limit / first_row.length);
  if (count < min_rows) return single_row;

  ++coords[dim];
  const auto second_row = pattern.local_index(coords);
  coords[dim] += count - 2;
  const auto last = pattern.local_index(coords);
  const Index stride = second_row.index - first_row.index;
  const bool is_regular = second_row.unit == first_row.unit && last.unit == first_row.unit &&
                          stride > 0 && last.index == first_row.index + (count - 1) * stride;
  if (!is_regular) return single_row;
  return Rows{first_row, stride, count};
}

}  // namespace dash::internal
