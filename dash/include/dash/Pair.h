#pragma once

#include <compare>
#include <iosfwd>
#include <type_traits>
#include <utility>

namespace dash {

/// Two values like std::pair, but of standard layout and trivially copyable if both types are, so
/// it can be the element of a container.
/// \ingroup utilities
template <class T1, class T2>
struct Pair {
  /// Type of the first value.
  using first_type = T1;
  /// Type of the second value.
  using second_type = T2;

  /// The first value.
  T1 first{};
  /// The second value.
  T2 second{};

  /// Both values value-initialized.
  constexpr Pair() = default;
  /// Copies two values.
  constexpr Pair(const T1& x, const T2& y) : first(x), second(y) {}
  /// Constructs each value from an argument.
  template <class U1, class U2>
  requires(std::is_constructible_v<T1, U1>&& std::is_constructible_v<T2, U2>)  //
      constexpr Pair(U1&& x, U2&& y)
      : first(std::forward<U1>(x)), second(std::forward<U2>(y)) {}
  /// Converts both values.
  template <class U1, class U2>
  constexpr Pair(const Pair<U1, U2>& other)  // NOLINT: as std::pair
      : first(other.first), second(other.second) {}

  /// Exchanges both values.
  constexpr void swap(Pair& other) noexcept(
      std::is_nothrow_swappable_v<T1>&& std::is_nothrow_swappable_v<T2>) {
    using std::swap;
    swap(first, other.first);
    swap(second, other.second);
  }

  friend constexpr bool operator==(const Pair& a, const Pair& b) {
    return a.first == b.first && a.second == b.second;
  }
  // Uses only operator< of the members, so that other comparisons are not required.
  friend constexpr bool operator<(const Pair& a, const Pair& b) {
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
  }
  friend constexpr bool operator>(const Pair& a, const Pair& b) { return b < a; }
  friend constexpr bool operator<=(const Pair& a, const Pair& b) { return !(b < a); }
  friend constexpr bool operator>=(const Pair& a, const Pair& b) { return !(a < b); }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const Pair& pair) {
    return os << "dash::Pair(" << pair.first << ", " << pair.second << ')';
  }
};

/// Exchanges both values.
/// \ingroup utilities
template <class T1, class T2>
constexpr void swap(Pair<T1, T2>& a, Pair<T1, T2>& b) noexcept(noexcept(a.swap(b))) {
  a.swap(b);
}

/// A Pair of copies of the arguments, or of values moved from them.
/// \ingroup utilities
template <class T1, class T2>
constexpr Pair<std::decay_t<T1>, std::decay_t<T2>> make_pair(T1&& x, T2&& y) {
  return {std::forward<T1>(x), std::forward<T2>(y)};
}

}  // namespace dash
