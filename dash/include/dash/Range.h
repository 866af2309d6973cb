#pragma once

#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "dash/Types.h"
#include "dash/view/IndexSet.h"
#include "dash/view/Local.h"
#include "dash/view/internal/Origins.h"

namespace dash {

/// The result of range.begin().
/// \ingroup views
template <class RangeType>
constexpr auto begin(RangeType&& range) -> decltype(std::forward<RangeType>(range).begin()) {
  return std::forward<RangeType>(range).begin();
}
/// The result of range.end().
/// \ingroup views
template <class RangeType>
constexpr auto end(RangeType&& range) -> decltype(std::forward<RangeType>(range).end()) {
  return std::forward<RangeType>(range).end();
}
/// The result of range.size().
/// \ingroup views
template <class RangeType>
constexpr auto size(RangeType&& range) -> decltype(std::forward<RangeType>(range).size()) {
  return std::forward<RangeType>(range).size();
}

/// Whether a type is a range with a type `iterator`: containers, their local parts, views, and the
/// containers of the standard library.
/// \ingroup views
template <class X>
    struct is_range : std::bool_constant < requires(const std::remove_cvref_t<X>& x) {
  typename std::remove_cvref_t<X>::iterator;
  x.begin();
  x.end();
} > {};

/// A range of elements between two iterators, from which views can be taken.
///
/// Stores both iterators by value and is valid as long as they are.
/// \tparam Iterator  global or native  \tparam Sentinel  converts to it
/// \threads thread-safe
/// \ingroup views
template <class Iterator, class Sentinel = Iterator>
class IteratorRange {
  template <class It>
  struct PatternOf {
    using type = void;
  };
  template <internal::ContainerIterator It>
  struct PatternOf<It> {
    using type = typename It::pattern_type;
  };

 public:
  using iterator = Iterator;
  using const_iterator = Iterator;
  /// Type of end().
  using sentinel = Sentinel;
  using value_type = std::iter_value_t<Iterator>;
  using reference = std::iter_reference_t<Iterator>;
  using difference_type = std::iter_difference_t<Iterator>;
  using index_type = difference_type;
  using size_type = std::make_unsigned_t<index_type>;
  using pattern_type = typename PatternOf<Iterator>::type;
  /// Type of index_set().
  using index_set_type = IndexSet<IteratorRange>;
  /// Number of dimensions: 1.
  using rank = std::integral_constant<dim_t, 1>;

  /// Stores default-constructed iterators.
  constexpr IteratorRange() = default;
  /// The elements of [begin, end).
  constexpr IteratorRange(Iterator begin, Sentinel end) : _begin(begin), _end(end) {}

  /// Number of dimensions: 1.
  static constexpr dim_t ndim() { return 1; }

  /// The first iterator.
  constexpr iterator begin() const { return _begin; }
  /// The second iterator.
  constexpr iterator end() const { return _end; }
  /// Number of elements.
  constexpr size_type size() const { return static_cast<size_type>(end() - begin()); }
  /// Whether there are no elements.
  constexpr bool empty() const { return _begin == _end; }
  /// The element at an index relative to begin(); no range check.
  constexpr reference operator[](index_type n) const { return *(_begin + n); }

  /// The caller's elements; all elements if the iterators are native.
  auto local() const { return internal::LocalOf()(*this); }
  /// The indices of the elements.
  index_set_type index_set() const {
    return index_set_type(internal::Holder<IteratorRange>(*this));
  }
  /// The pattern that distributes the elements of the container.
  decltype(auto) pattern() const requires internal::ContainerIterator<Iterator> {
    return _begin.pattern();
  }

  friend constexpr bool operator==(const IteratorRange& a, const IteratorRange& b) {
    return a._begin == b._begin && a._end == b._end;
  }

 private:
  Iterator _begin{};
  Sentinel _end{};
};

/// Name of IteratorRange in DASH.
/// \ingroup views
template <class Iterator, class Sentinel = Iterator>
using IteratorViewOrigin = IteratorRange<Iterator, Sentinel>;

/// The range of the elements of [begin, end).
/// \ingroup views
template <class Iterator, class Sentinel>
constexpr auto make_range(Iterator begin, Sentinel end) {
  return IteratorRange<Iterator, Sentinel>(begin, end);
}
/// As make_range().
/// \ingroup views
template <class Iterator, class Sentinel>
constexpr auto make_view(Iterator begin, Sentinel end) {
  return IteratorViewOrigin<Iterator, Sentinel>(begin, end);
}

}  // namespace dash

/// \cond internal
template <class It, class Sentinel>
inline constexpr bool std::ranges::enable_view<dash::IteratorRange<It, Sentinel>> = true;
template <class It, class Sentinel>
inline constexpr bool std::ranges::enable_borrowed_range<dash::IteratorRange<It, Sentinel>> = true;
/// \endcond
