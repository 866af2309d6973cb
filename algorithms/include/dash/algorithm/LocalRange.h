#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "dash/Exception.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "dash/iterator/IteratorTraits.h"
#include "dash/matrix/internal/LocalIterBase.h"

namespace dash {

/// \addtogroup algorithms
/// @{

/// Native elements from begin to end.
template <class ElementType>
struct LocalRange {
  /// The first element, in the caller's memory.
  ElementType* begin;
  /// The address after the last element.
  ElementType* end;
};

/// Indices in the caller's memory from begin to end.
template <typename IndexType>
struct LocalIndexRange {
  /// The first index.
  IndexType begin;
  /// One more than the last index.
  IndexType end;
};

/// Result of local_index_ranges().
template <typename IndexType>
struct LocalIndexRanges {
  /// The ranges of consecutive local indices, in the order of the global range. Empty if the caller owns none
  /// of its elements.
  std::vector<LocalIndexRange<IndexType>> ranges;
};

/// The caller's elements of a global range, as ranges of local indices, in order.
/// \collective no  \threads thread-safe  \cost no communication
template <internal::GlobalIterator GlobIt>
LocalIndexRanges<typename GlobIt::index_type> local_index_ranges(const GlobIt& first,
                                                                 const GlobIt& last) {
  LocalIndexRanges<typename GlobIt::index_type> result;
  if (!(first < last)) return result;
  internal::for_each_local_index_block(first, last, [&](auto begin, auto length) {
    result.ranges.push_back({begin, begin + length});
  });
  return result;
}
/// \overload
/// For iterators of a box of the caller's elements of a matrix, such as `matrix.local.block(0)`.
template <internal::LocalBoxIterator LocalIt>
LocalIndexRanges<typename LocalIt::index_type> local_index_ranges(const LocalIt& first,
                                                                  const LocalIt& last) {
  LocalIndexRanges<typename LocalIt::index_type> result;
  internal::for_each_contiguous_range(first, last, [&](auto position, auto*, auto length) {
    const auto begin = (first + position).local_index();
    result.ranges.push_back({begin, begin + length});
  });
  return result;
}
/// \overload
/// With a range: a container, a box of a matrix, a view.
template <internal::GlobalRange Range>
auto local_index_ranges(Range&& range) {
  return local_index_ranges(range.begin(), range.end());
}

/// The caller's elements of a global range, as a single range of local indices; {0, 0} if it has
/// none.
/// \collective no  \threads thread-safe  \cost no communication
/// \throws exception::InvalidArgument if they are not contiguous, which is possible for a box
template <class It>
requires internal::GlobalIterator<It> || internal::LocalBoxIterator<It>
    LocalIndexRange<typename It::index_type> local_index_range(const It& first, const It& last) {
  const auto ranges = local_index_ranges(first, last).ranges;
  if (ranges.size() > 1) {
    DASH_THROW(dash::exception::InvalidArgument,
               "the local part of the range is not contiguous, but "
                   << ranges.size() << " ranges; use dash::local_index_ranges");
  }
  return ranges.empty() ? LocalIndexRange<typename It::index_type>{0, 0} : ranges.front();
}
/// \overload
/// With a range.
template <internal::GlobalRange Range>
auto local_index_range(Range&& range) {
  return local_index_range(range.begin(), range.end());
}

/// The caller's elements of a global range, as native pointers; {nullptr, nullptr} if it has none.
/// \collective no  \threads thread-safe  \cost no communication
/// \throws exception::InvalidArgument if they are not contiguous, which is possible for a box
template <internal::GlobalIterator GlobIt>
auto local_range(const GlobIt& first, const GlobIt& last) {
  using T = std::remove_pointer_t<typename GlobIt::local_type>;
  const auto range = local_index_range(first, last);
  if (range.begin == range.end) return LocalRange<T>{nullptr, nullptr};
  T* const base = static_cast<T*>(first.globmem().local_begin());
  return LocalRange<T>{base + range.begin, base + range.end};
}
/// \overload
/// For iterators of a box of the caller's elements of a matrix.
template <internal::LocalBoxIterator LocalIt>
auto local_range(const LocalIt& first, const LocalIt& last) {
  using T = std::remove_pointer_t<typename LocalIt::pointer>;
  const auto range = local_index_range(first, last);
  if (range.begin == range.end) return LocalRange<T>{nullptr, nullptr};
  return LocalRange<T>{first.local(), first.local() + (range.end - range.begin)};
}
/// \overload
/// With a range.
template <internal::GlobalRange Range>
auto local_range(Range&& range) {
  return local_range(range.begin(), range.end());
}

/// @}

}  // namespace dash
