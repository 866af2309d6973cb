#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/reduce/Lanes.h"

/// \file
/// The first smallest and the last largest of elements, and which of two partial results is. NaN has
/// its place, so that results do not depend on how a range is cut: behind all numbers, unless the
/// comparison says another one. Only as the first element of the range it is the smallest, as for
/// std::min_element.

namespace dash::internal {

template <class T>
bool is_nan(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value != value;
  } else {
    return false;
  }
}

/// Whether a comes before b; NaN behind the numbers if the comparison does not order it.
template <class T, class Compare>
bool ranks_before(const T& a, const T& b, Compare& before) {
  if (is_nan(a) == is_nan(b)) return before(a, b);
  return before(a, b) || (is_nan(b) && !before(b, a));
}

/// An element and where it is in a range.
template <class T, class Index>
struct Found {
  T value;
  Index position;

  /// Whether it is before the other one, or equal and nearer to the begin.
  template <class Compare>
  bool is_before(const Found& other, Compare& before) const {
    if (before(value, other.value)) return true;
    if (before(other.value, value)) return false;
    if (is_nan(value) == is_nan(other.value)) return position < other.position;
    return is_nan(value) ? position == 0 : other.position != 0;
  }
  /// Whether the other one is less, or equal and nearer to the begin. NaN is less than numbers.
  template <class Compare>
  bool is_behind(const Found& other, Compare& less) const {
    if (less(other.value, value)) return true;
    if (less(value, other.value)) return false;
    if (is_nan(value) == is_nan(other.value)) return other.position < position;
    return is_nan(other.value);
  }
};

/// Goes through elements by blocks that stay in the first cache.
/// \param best  not NaN; then the value of all elements and of itself that no other comes before
/// \returns the last block that has changed it, or end
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

/// The first of the elements that no other comes before: its value first, by blocks that stay in the
/// first cache, and then its place in the block.
/// \pre begin != end
template <class T, class Compare>
const T* first_by(const T* begin, const T* end, Compare& before) {
  using Op = FirstBy<Compare, T>;
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

/// The same if it comes before a value that was found elsewhere, else end: then no place is looked for.
/// \pre begin != end
template <class T, class Compare>
const T* first_before(const T* begin, const T* end, const T& bound, Compare& before) {
  using Op = FirstBy<Compare, T>;
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

/// The same of a whole range: NaN at its begin, which the comparison does not order, is the first.
template <class T, class Compare>
const T* first_of_range(const T* begin, const T* end, Compare& before) {
  if (begin == end) return end;
  const T* const found = first_by(begin, end, before);
  if (is_nan(*begin) && !before(*found, *begin) && !before(*begin, *found)) return begin;
  return found;
}

/// The first smallest and the last largest of the elements; NaN only if there is nothing else.
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
