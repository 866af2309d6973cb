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

/// \name Begin, end and size of a range, from its member functions
/// @{
template <class RangeType>
constexpr auto begin(RangeType&& range) -> decltype(std::forward<RangeType>(range).begin()) {
  return std::forward<RangeType>(range).begin();
}
template <class RangeType>
constexpr auto end(RangeType&& range) -> decltype(std::forward<RangeType>(range).end()) {
  return std::forward<RangeType>(range).end();
}
template <class RangeType>
constexpr auto size(RangeType&& range) -> decltype(std::forward<RangeType>(range).size()) {
  return std::forward<RangeType>(range).size();
}
/// @}

/// Whether a type is a range with a type `iterator`: containers, their local parts, views, and the
/// containers of the standard library.
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
  using sentinel = Sentinel;
  using value_type = std::iter_value_t<Iterator>;
  using reference = std::iter_reference_t<Iterator>;
  using difference_type = std::iter_difference_t<Iterator>;
  using index_type = difference_type;
  using size_type = std::make_unsigned_t<index_type>;
  using pattern_type = typename PatternOf<Iterator>::type;
  using index_set_type = IndexSet<IteratorRange>;
  using rank = std::integral_constant<dim_t, 1>;

  constexpr IteratorRange() = default;
  constexpr IteratorRange(Iterator begin, Sentinel end) : _begin(begin), _end(end) {}

  static constexpr dim_t ndim() { return 1; }

  constexpr iterator begin() const { return _begin; }
  constexpr iterator end() const { return _end; }
  constexpr size_type size() const { return static_cast<size_type>(end() - begin()); }
  constexpr bool empty() const { return _begin == _end; }
  constexpr reference operator[](index_type n) const { return *(_begin + n); }

  /// The caller's elements; all elements if the iterators are native.
  auto local() const { return internal::LocalOf()(*this); }
  index_set_type index_set() const {
    return index_set_type(internal::Holder<IteratorRange>(*this));
  }
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

template <class Iterator, class Sentinel = Iterator>
using IteratorViewOrigin = IteratorRange<Iterator, Sentinel>;

/// \name Ranges from copies of two iterators
/// @{
template <class Iterator, class Sentinel>
constexpr auto make_range(Iterator begin, Sentinel end) {
  return IteratorRange<Iterator, Sentinel>(begin, end);
}
template <class Iterator, class Sentinel>
constexpr auto make_view(Iterator begin, Sentinel end) {
  return IteratorViewOrigin<Iterator, Sentinel>(begin, end);
}
/// @}

}  // namespace dash

template <class It, class Sentinel>
inline constexpr bool std::ranges::enable_view<dash::IteratorRange<It, Sentinel>> = true;
template <class It, class Sentinel>
inline constexpr bool std::ranges::enable_borrowed_range<dash::IteratorRange<It, Sentinel>> = true;
