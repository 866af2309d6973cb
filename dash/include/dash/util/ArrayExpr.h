#pragma once

/// \file
/// Functions of arrays for constant expressions.

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace dash::ce {

/// Whether all types are integers.
/// \ingroup utilities
template <class... Ts>
using are_integral = std::conjunction<std::is_integral<Ts>...>;

/// The values without the first \p Drop.
/// \ingroup utilities
template <std::size_t Drop, class T, std::size_t N>
constexpr std::array<T, N - Drop> drop(const std::array<T, N>& values) {
  static_assert(Drop <= N, "dash::ce::drop: the array has fewer values");
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<T, N - Drop>{{values[Drop + I]...}};
  }
  (std::make_index_sequence<N - Drop>());
}

/// The first \p Take values.
/// \ingroup utilities
template <std::size_t Take, class T, std::size_t N>
constexpr std::array<T, Take> take(const std::array<T, N>& values) {
  static_assert(Take <= N, "dash::ce::take: the array has fewer values");
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<T, Take>{{values[I]...}};
  }
  (std::make_index_sequence<Take>());
}

/// The first value, as an array.
/// \ingroup utilities
template <class T, std::size_t N>
constexpr std::array<T, 1> head(const std::array<T, N>& values) {
  static_assert(N > 0, "dash::ce::head: the array is empty");
  return {{values[0]}};
}

/// All but the first value.
/// \ingroup utilities
template <class T, std::size_t N>
constexpr std::array<T, N - 1> tail(const std::array<T, N>& values) {
  return drop<1>(values);
}

/// The values of two arrays, concatenated.
/// \ingroup utilities
template <class T, std::size_t Left, std::size_t Right>
constexpr std::array<T, Left + Right> append(const std::array<T, Left>& left,
                                             const std::array<T, Right>& right) {
  std::array<T, Left + Right> values{};
  for (std::size_t i = 0; i < Left; ++i)
    values[i] = left[i];
  for (std::size_t i = 0; i < Right; ++i)
    values[Left + i] = right[i];
  return values;
}
/// The values, followed by another one.
/// \ingroup utilities
template <class T, std::size_t N>
constexpr std::array<T, N + 1> append(const std::array<T, N>& values,
                                      const std::type_identity_t<T>& last) {
  return append(values, std::array<T, 1>{{last}});
}

/// An array in two parts.
/// \ingroup utilities
template <class T, std::size_t Left, std::size_t Right>
class split {
 public:
  /// Copies the values.
  explicit constexpr split(const std::array<T, Left + Right>& values) : _values(values) {}
  /// The first `Left` values.
  constexpr std::array<T, Left> left() const { return take<Left>(_values); }
  /// The last `Right` values.
  constexpr std::array<T, Right> right() const { return drop<Left>(_values); }

 private:
  std::array<T, Left + Right> _values;
};

/// The values in reverse order.
/// \ingroup utilities
template <class T, std::size_t N>
constexpr std::array<T, N> reverse(const std::array<T, N>& values) {
  std::array<T, N> result{};
  for (std::size_t i = 0; i < N; ++i)
    result[i] = values[N - 1 - i];
  return result;
}

/// The values, with the \p I-th replaced.
/// \ingroup utilities
template <std::size_t I, class T, std::size_t N>
constexpr std::array<T, N> replace_nth(const std::type_identity_t<T>& value,
                                       const std::array<T, N>& values) {
  static_assert(I < N, "dash::ce::replace_nth: the array has fewer values");
  std::array<T, N> result = values;
  result[I] = value;
  return result;
}

}  // namespace dash::ce
