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

/// A function that returns the sort key of an element (SortableHash in DASH).
template <class F, class T>
concept ElementKey = !ElementComparison<F, T> && std::invocable<F&, const T&> &&
                     requires(F & key, const T& element) {
  { key(element) < key(element) } -> std::convertible_to<bool>;
};

/// A key function or a comparison by which elements can be sorted.
template <class F, class T>
concept ElementOrder = ElementComparison<F, T> || ElementKey<F, T>;

/// The key function that returns the element itself.
struct IdentityKey {
  template <class T>
  const T& operator()(const T& element) const noexcept {
    return element;
  }
};

/// Orders elements by ascending keys.
template <class Key>
class KeyOrder {
 public:
  explicit KeyOrder(Key key) : _key(std::move(key)) {}

  template <class T>
  bool operator()(const T& a, const T& b) {
    return std::invoke(_key, a) < std::invoke(_key, b);
  }

  /// \throws exception::InvalidArgument if a key is NaN, which is unordered
  template <class T>
  void check(const T* elements, std::size_t size) {
    using Value = std::remove_cvref_t<std::invoke_result_t<Key&, const T&>>;
    if constexpr (std::is_floating_point_v<Value>) {
      bool any = false;
      for (std::size_t i = 0; i < size; ++i)
        any |= std::isnan(std::invoke(_key, elements[i]));
      if (!any) return;
      DASH_THROW(dash::exception::InvalidArgument,
                 "the key of an element is NaN, which is unordered; expected numbers, or "
                 "a comparison that orders NaN");
    }
  }

 private:
  Key _key;
};

/// Orders elements by a comparison of the application.
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
