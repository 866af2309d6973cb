#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"

namespace dash::internal {

/// Whether the first of two elements comes before the second.
template <class F, class T>
concept ElementComparison = std::predicate<F&, const T&, const T&>;

/// The key of an element, in DASH: SortableHash.
template <class F, class T>
concept ElementKey = !ElementComparison<F, T> && std::invocable<F&, const T&> &&
                     requires(F & key, const T& element) {
  { key(element) < key(element) } -> std::convertible_to<bool>;
};

/// What elements can be sorted by.
template <class F, class T>
concept ElementOrder = ElementComparison<F, T> || ElementKey<F, T>;

/// The key of an element that is its own.
struct ElementItself {
  template <class T>
  const T& operator()(const T& element) const noexcept {
    return element;
  }
};

/// By keys, in ascending order.
template <class Key>
class KeyOrder {
 public:
  explicit KeyOrder(Key key) : _key(std::move(key)) {}

  template <class T>
  bool operator()(const T& a, const T& b) {
    return std::invoke(_key, a) < std::invoke(_key, b);
  }

  /// \throws exception::InvalidArgument for a NaN, which is not before, not behind and not equal
  template <class T>
  void check(const T* elements, std::size_t size) {
    using Value = std::remove_cvref_t<std::invoke_result_t<Key&, const T&>>;
    if constexpr (std::is_floating_point_v<Value>) {
      bool any = false;
      for (std::size_t i = 0; i < size; ++i)
        any |= std::isnan(std::invoke(_key, elements[i]));
      if (!any) return;
      DASH_THROW(
          dash::exception::InvalidArgument,
          "the key of an element is NaN, which has no place in an order; expected numbers, or "
          "a comparison that orders NaN");
    }
  }

 private:
  Key _key;
};

/// As a function of the caller's says.
template <class Compare>
class ComparedOrder {
 public:
  explicit ComparedOrder(Compare compare) : _compare(std::move(compare)) {}

  template <class T>
  bool operator()(const T& a, const T& b) {
    return static_cast<bool>(_compare(a, b));
  }
  template <class T>
  void check(const T* /*elements*/, std::size_t /*size*/) {}

 private:
  Compare _compare;
};

/// The order of elements by a key or a comparison.
template <class T, class F>
auto order_by(F f) {
  if constexpr (ElementComparison<F, T>) {
    return ComparedOrder<F>(std::move(f));
  } else {
    return KeyOrder<F>(std::move(f));
  }
}

}  // namespace dash::internal
