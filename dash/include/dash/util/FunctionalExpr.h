#pragma once

/// \file
/// Numeric functions for constant expressions.

#include <array>
#include <cstddef>
#include <functional>
#include <type_traits>

namespace dash::ce {

/// The sum, for constant expressions. `plus<T>` can be passed as an operation.
/// \ingroup utilities
template <class T>
constexpr T plus(const T& a, const T& b) {
  return a + b;
}
/// The difference, for constant expressions. `minus<T>` can be passed as an operation.
/// \ingroup utilities
template <class T>
constexpr T minus(const T& a, const T& b) {
  return a - b;
}
/// The product, for constant expressions. `multiplies<T>` can be passed as an operation.
/// \ingroup utilities
template <class T>
constexpr T multiplies(const T& a, const T& b) {
  return a * b;
}
/// The quotient, for constant expressions. `divides<T>` can be passed as an operation.
/// \ingroup utilities
template <class T>
constexpr T divides(const T& a, const T& b) {
  return a / b;
}

/// A power by repeated multiplication. \pre exponent >= 0
/// \ingroup utilities
template <class T, class I>
requires std::is_integral_v<I>
constexpr T pow(T base, I exponent) {
  T result = 1;
  for (; exponent > 0; --exponent)
    result *= base;
  return result;
}

/// Combines `init` with all values, from the first to the last.
/// \ingroup utilities
template <class T, std::size_t N, class Operation = std::plus<T>>
constexpr T accumulate(const std::array<T, N>& values, const std::type_identity_t<T>& init,
                       Operation op = {}) {
  T result = init;
  for (const T& value : values)
    result = op(result, value);
  return result;
}

/// `init` plus the sum of the products of corresponding values, or other operations in place of sum
/// and product.
/// \ingroup utilities
template <class T, std::size_t N, class Sum = std::plus<T>, class Product = std::multiplies<T>>
constexpr T inner_product(const std::array<T, N>& a, const std::array<T, N>& b,
                          const std::type_identity_t<T>& init, Sum sum = {}, Product product = {}) {
  T result = init;
  for (std::size_t i = 0; i < N; ++i)
    result = sum(result, product(a[i], b[i]));
  return result;
}

/// The results of a function for each value.
/// \ingroup utilities
template <class T, std::size_t N, class Function>
constexpr auto transform(const std::array<T, N>& values, Function function) {
  std::array<std::remove_cvref_t<decltype(function(values[0]))>, N> result{};
  for (std::size_t i = 0; i < N; ++i)
    result[i] = function(values[i]);
  return result;
}
/// The results of a function for each pair of corresponding values.
/// \ingroup utilities
template <class T, class U, std::size_t N, class Function>
constexpr auto transform(const std::array<T, N>& a, const std::array<U, N>& b, Function function) {
  std::array<std::remove_cvref_t<decltype(function(a[0], b[0]))>, N> result{};
  for (std::size_t i = 0; i < N; ++i)
    result[i] = function(a[i], b[i]);
  return result;
}

}  // namespace dash::ce
