#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/reduce/Lanes.h"

/// \file
/// Finds the first smallest and the last largest element, and combines partial results. NaN is
/// ordered after all numbers unless the comparison orders it, so that results do not depend on how
/// a range is divided. A NaN that is the first element of the range is the smallest element, as
/// with std::min_element.

namespace dash::internal {

template <class T>
bool is_nan(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value != value;
  } else {
    return false;
  }
}

/// Whether a comes before b. NaN comes after all numbers if the comparison does not order it.
template <class T, class Compare>
bool ranks_before(const T& a, const T& b, Compare& before) {
  if (is_nan(a) == is_nan(b)) return before(a, b);
  return before(a, b) || (is_nan(b) && !before(b, a));
}

/// A candidate for an extreme element, with its position in the range.
template <class T, class Index>
struct LocatedElement {
  T value;
  Index position;

  /// Whether this element comes before the other one, or is equivalent and has a smaller position.
  template <class Compare>
  bool is_before(const LocatedElement& other, Compare& before) const {
    if (before(value, other.value)) return true;
    if (before(other.value, value)) return false;
    if (is_nan(value) == is_nan(other.value)) return position < other.position;
    return is_nan(value) ? position == 0 : other.position != 0;
  }
  /// Whether the other element is less, or is equivalent and has a smaller position. NaN is less
  /// than all numbers.
  template <class Compare>
  bool is_after(const LocatedElement& other, Compare& less) const {
    if (less(other.value, value)) return true;
    if (less(value, other.value)) return false;
    if (is_nan(value) == is_nan(other.value)) return other.position < position;
    return is_nan(other.value);
  }
};

/// Searches blocks that fit into the first-level cache for improvements of `best`.
/// \param best  not NaN; on return the first in the order among the elements and the value passed
/// \returns the last block that has improved it, or end
template <class Op, class T, class Compare>
const T* last_improving_block(const T* begin, const T* end, T& best, Compare& before) {
  constexpr std::ptrdiff_t block = 16'384 / sizeof(T);
  const T* found = end;
  for (const T* at = begin; at != end;) {
    const std::ptrdiff_t n = std::min(block, end - at);
    const T value = LaneFold<Op, T>::all_and(best, at, static_cast<std::size_t>(n));
    if (before(value, best)) {
      best = value;
      found = at;
    }
    at += n;
  }
  return found;
}

/// The first of the elements that no other element precedes in the order. Determines its value by
/// blocks that fit into the first-level cache, and then its position in the block.
/// \pre begin != end
template <class T, class Compare>
const T* first_by(const T* begin, const T* end, Compare& before) {
  using Op = ExtremeOperation<Compare, T>;
  if constexpr (std::is_void_v<Op>) {
    return std::min_element(
        begin, end, [&before](const T& a, const T& b) { return ranks_before(a, b, before); });
  } else {
    const T* at = begin;
    if constexpr (std::is_floating_point_v<T>) {
      while (*at != *at)
        if (++at == end) return begin;
    }
    T best = *at;
    const T* const block = last_improving_block<Op>(at, end, best, before);
    return find_equal(block != end ? block : at, end, best);
  }
}

/// Like first_by(), but returns end, without searching for the position, unless the element comes
/// before `bound`.
/// \pre begin != end
template <class T, class Compare>
const T* first_before(const T* begin, const T* end, const T& bound, Compare& before) {
  using Op = ExtremeOperation<Compare, T>;
  if constexpr (!std::is_void_v<Op>) {
    if (!is_nan(bound)) {
      T best = bound;
      const T* const block = last_improving_block<Op>(begin, end, best, before);
      return block != end ? find_equal(block, end, best) : end;
    }
  }
  const T* const found = first_by(begin, end, before);
  return ranks_before(*found, bound, before) ? found : end;
}

/// Like first_by(), for a whole range: a NaN at its beginning that the comparison does not order is
/// the result.
template <class T, class Compare>
const T* first_of_range(const T* begin, const T* end, Compare& before) {
  if (begin == end) return end;
  const T* const found = first_by(begin, end, before);
  if (is_nan(*begin) && !before(*found, *begin) && !before(*begin, *found)) return begin;
  return found;
}

/// The first smallest and the last largest of the elements; NaN only if all elements are NaN.
/// \pre begin != end
template <class T, class Compare>
std::pair<const T*, const T*> first_and_last(const T* begin, const T* end, Compare& less) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto is_less = [&less](const T& a, const T& b) {
      if (is_nan(a) == is_nan(b)) return static_cast<bool>(less(a, b));
      return less(a, b) || (is_nan(a) && !less(b, a));
    };
    std::pair<const T*, const T*> result(begin, begin);
    for (const T* at = begin + 1; at != end; ++at) {
      if (ranks_before(*at, *result.first, less)) result.first = at;
      if (!is_less(*at, *result.second)) result.second = at;
    }
    return result;
  } else {
    return std::minmax_element(
        begin, end, [&less](const T& a, const T& b) { return static_cast<bool>(less(a, b)); });
  }
}

}  // namespace dash::internal
