#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <type_traits>

#include "dash/core/Export.h"

namespace dash::math {

/// The smallest power of two that is not less than a number; 1 for 0.
template <class I>
requires std::is_integral_v<I>
constexpr I NextPowerOf2(I n) {
  I power = 1;
  while (power < n)
    power = static_cast<I>(power * 2);
  return power;
}

/// a / b, rounded up. \pre a >= 0, b > 0
template <class A, class B>
constexpr auto div_ceil(A a, B b) {
  using Common = std::common_type_t<A, B>;
  return static_cast<Common>(a) / static_cast<Common>(b) +
         (static_cast<Common>(a) % static_cast<Common>(b) != 0 ? 1 : 0);
}

template <class T>
constexpr T max(const T& a, const T& b) {
  return a < b ? b : a;
}

/// The mean of a range; 0 if it is empty.
template <class Iterator>
double div_mean(Iterator begin, Iterator end) {
  double sum = 0;
  std::size_t n = 0;
  for (; begin != end; ++begin, ++n)
    sum += static_cast<double>(*begin);
  return n == 0 ? 0 : sum / static_cast<double>(n);
}

namespace internal {
DASH_API double square_root(double value);
}  // namespace internal

/// The population standard deviation of a range; 0 if it is empty.
template <class Iterator>
double sigma(Iterator begin, Iterator end) {
  const double mean = div_mean(begin, end);
  double squares = 0;
  std::size_t n = 0;
  for (; begin != end; ++begin, ++n) {
    const double difference = static_cast<double>(*begin) - mean;
    squares += difference * difference;
  }
  return n == 0 ? 0 : internal::square_root(squares / static_cast<double>(n));
}

/// The prime factors of a number with their multiplicity.
template <class I>
requires std::is_integral_v<I> std::map<I, int> factorize(I n) {
  std::map<I, int> factors;
  for (I divisor = 2; divisor <= n / divisor; ++divisor) {
    for (; n % divisor == 0; n /= divisor)
      ++factors[divisor];
  }
  if (n > 1) ++factors[n];
  return factors;
}

/// The distinct prime factors of a number.
template <class I>
requires std::is_integral_v<I> std::set<I> factors(I n) {
  std::set<I> result;
  for (const auto& [factor, count] : factorize(n))
    result.insert(factor);
  return result;
}

/// Factors the product of the extents into extents that are nearly equal (greedily, by prime
/// factors), in descending order.
/// \param blocking  block sizes: the largest one that divides the product becomes a factor of one
///         extent
template <class I, std::size_t N>
std::array<I, N> balance_extents(const std::array<I, N>& extents,
                                 const std::set<I>& blocking = {}) {
  I size = 1;
  for (const I extent : extents)
    size *= extent;
  std::array<I, N> balanced{};
  balanced.fill(1);
  for (auto block = blocking.rbegin(); block != blocking.rend(); ++block) {
    if (*block > 1 && size % *block == 0) {
      balanced[0] = *block;
      size /= *block;
      break;
    }
  }
  // Assigns the prime factors, largest first, each to the smallest extent so far.
  const auto primes = factorize(size);
  for (auto prime = primes.rbegin(); prime != primes.rend(); ++prime) {
    for (int i = 0; i < prime->second; ++i)
      *std::min_element(balanced.rbegin(), balanced.rend()) *= prime->first;
  }
  std::sort(balanced.rbegin(), balanced.rend());
  return balanced;
}

/// \name Pseudo-random number generators of the process: s...rand() seeds one, the others draw
/// Each type of number has its own generator. \threads externally synchronized
/// @{
DASH_API void slrand(std::uint64_t seed);
DASH_API std::uint32_t lrand();
DASH_API void sxrand(std::uint64_t seed);
DASH_API std::uint64_t xrand();
DASH_API void sdrand(std::uint64_t seed);
/// A number in [0, 1).
DASH_API double drand();
/// @}

}  // namespace dash::math
