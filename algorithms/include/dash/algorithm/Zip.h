#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"
#include "dash/Team.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/RangeArguments.h"

namespace dash {

/// \addtogroup algorithms
/// @{

/// Several ranges of equal size whose elements at the same positions an algorithm processes together; see zip().
///
/// Stores iterators, and is valid as long as they are.
/// \threads thread-safe
template <internal::GlobalIterator GlobIt, class... OtherIts>
class ZippedRanges {
 public:
  using index_type = typename GlobIt::index_type;
  using size_type = std::make_unsigned_t<index_type>;

  /// Stores the iterators.
  constexpr ZippedRanges(GlobIt first, GlobIt last, OtherIts... other_firsts)
      : _first(std::move(first)), _last(std::move(last)), _others(std::move(other_firsts)...) {}

  /// The number of elements of each range.
  size_type size() const { return static_cast<size_type>(_last - _first); }
  /// Whether the ranges have no elements.
  bool empty() const { return size() == 0; }
  /// The team of the first range.
  Team& team() const { return _first.team(); }

  /// Calls f(first, last, other_firsts...): the iterators of the first range and the begins of the others.
  template <class F>
  decltype(auto) apply(F&& f) const {
    return std::apply(
        [&](const auto&... others) -> decltype(auto) { return f(_first, _last, others...); },
        _others);
  }

 private:
  GlobIt _first;
  GlobIt _last;
  std::tuple<OtherIts...> _others;
};

/// @}

namespace internal {

template <class GlobIt, class... OtherIts>
inline constexpr bool is_zipped<ZippedRanges<GlobIt, OtherIts...>> = true;

/// A range that lives long enough, as an input at the positions of a global range.
template <class R>
concept ZippableRange = GlobalRange<R> ||(NativeElements<R> && !TemporaryRange<R>);

/// Checks the size of a range of zip().
/// \throws exception::InvalidArgument if it is not that of the first range
template <class Range>
void check_zipped(std::size_t number, std::ptrdiff_t expected, const Range& range) {
  const auto size = static_cast<std::ptrdiff_t>(range.end() - range.begin());
  if (size != expected) {
    DASH_THROW(dash::exception::InvalidArgument,
               "dash::zip: range " << number << " has " << size << " elements; expected "
                                   << expected << " as in the first range");
  }
}

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Combines ranges of equal size for for_each(), transform() and transform_reduce(), whose functions then have
/// one parameter for each range.
///
/// The owner of an element of the first range calls the function. Only the element of the first range may be modified.
/// The other ranges may be distributed differently, or be native and the same on all units. They must not overlap the
/// first range, except at the same positions. Elements that are not on the owner of the first one are fetched in
/// batches.
/// \collective no  \threads thread-safe
/// \throws exception::InvalidArgument if the sizes differ
template <internal::GlobalRange Range, internal::ZippableRange... Others>
requires(sizeof...(Others) > 0) auto zip(Range&& range, Others&&... others) {
  const auto size = static_cast<std::ptrdiff_t>(range.end() - range.begin());
  std::size_t number = 1;
  (internal::check_zipped(++number, size, others), ...);
  return ZippedRanges(range.begin(), range.end(), others.begin()...);
}

/// @}

}  // namespace dash
