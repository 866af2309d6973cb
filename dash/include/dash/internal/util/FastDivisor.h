#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace dash::internal {

/// One of two numbers, without a branch: for choices that cannot be foreseen.
template <class T>
[[gnu::always_inline]] constexpr T either(bool first, T a, T b) noexcept {
  // Compilers that see where the numbers come from would rather branch and read one of them.
  if (!std::is_constant_evaluated()) asm("" : "+r"(a), "+r"(b));
  return __builtin_expect_with_probability(first, 1, 0.5) != 0 ? a : b;
}

/// Division by a number that stays the same, as a multiplication and a shift, so that no division
/// is needed to map an index to its owner. Without branches, whatever the divisor.
/// \see A. Robison, N-bit unsigned division via N-bit multiply-add, 2005, of which the rounding down
///      always does, as dividends leave a bit free
class FastDivisor {
 public:
  static constexpr std::uint64_t largest = ~std::uint64_t{0} >> 1;

  /// Divides by 1.
  constexpr FastDivisor() noexcept = default;

  /// \param most  the largest dividend; where it is small enough, there is nothing to shift
  /// \pre 1 <= divisor < 2^63 and most < 2^63
  explicit constexpr FastDivisor(std::uint64_t divisor, std::uint64_t most = largest) noexcept {
    // With m = floor((2^(64 + shift) - 1) / d) the remainder e = 2^(64 + shift) - m d is in 1 ... d,
    // and floor(m (n + 1) / 2^(64 + shift)) is floor(n / d) as long as (n + 1) e <= 2^(64 + shift):
    // with no shift if (n + 1) d <= 2^64, and always if 2^shift <= d < 2^(shift + 1).
    if ((uint128{most} + 1) * divisor > uint128{1} << 64) {
      _shift = static_cast<unsigned>(std::bit_width(divisor)) - 1;
    }
    _multiplier = static_cast<std::uint64_t>(((uint128{1} << (64 + _shift)) - 1) / divisor);
  }

  /// \pre 0 <= dividend < 2^63, and not more than was said
  constexpr std::uint64_t divide(std::uint64_t dividend) const noexcept {
    return multiply(dividend) >> _shift;
  }

  /// One of two, without a branch.
  [[gnu::always_inline]] static constexpr FastDivisor either(bool first, const FastDivisor& a,
                                                             const FastDivisor& b) noexcept {
    FastDivisor result;
    result._multiplier = internal::either(first, a._multiplier, b._multiplier);
    result._shift = internal::either(first, a._shift, b._shift);
    return result;
  }

  /// Whether multiply() is all.
  constexpr bool needs_no_shift() const noexcept { return _shift == 0; }
  /// The quotient. \pre needs_no_shift()
  constexpr std::uint64_t multiply(std::uint64_t dividend) const noexcept {
    return static_cast<std::uint64_t>((uint128{_multiplier} * (dividend + 1)) >> 64);
  }

 private:
  __extension__ using uint128 = unsigned __int128;

  std::uint64_t _multiplier = ~std::uint64_t{0};
  unsigned _shift = 0;
};

/// An index of 0 or more, as it can be shifted and divided fast.
template <class Index>
constexpr std::uint64_t to_unsigned(Index index) noexcept {
  return static_cast<std::make_unsigned_t<Index>>(index);
}

/// Division of indices, which are signed, by one that stays the same. Divides by 1 where nothing is to be divided: by 0.
template <class Index>
class IndexDivisor {
 public:
  constexpr IndexDivisor() noexcept = default;
  /// \pre divisor >= 0
  explicit constexpr IndexDivisor(Index divisor, std::uint64_t most = FastDivisor::largest) noexcept
      : _divisor(divisor > 0 ? to_unsigned(divisor) : 1, most) {}

  /// \pre dividend >= 0
  constexpr Index divide(Index dividend) const noexcept {
    return static_cast<Index>(_divisor.divide(to_unsigned(dividend)));
  }
  /// One of two, without a branch.
  [[gnu::always_inline]] static constexpr IndexDivisor either(bool first, const IndexDivisor& a,
                                                              const IndexDivisor& b) noexcept {
    IndexDivisor result;
    result._divisor = FastDivisor::either(first, a._divisor, b._divisor);
    return result;
  }
  constexpr bool needs_no_shift() const noexcept { return _divisor.needs_no_shift(); }
  /// \pre dividend >= 0 and needs_no_shift()
  constexpr Index multiply(Index dividend) const noexcept {
    return static_cast<Index>(_divisor.multiply(to_unsigned(dividend)));
  }

 private:
  FastDivisor _divisor;
};

/// How a mapping divides: with what all its divisors can do, which is decided once for an access.
struct AnyDivision {
  template <class Index>
  static constexpr Index divide(const IndexDivisor<Index>& by, Index dividend) noexcept {
    return by.divide(dividend);
  }
};
struct ShiftlessDivision {
  template <class Index>
  static constexpr Index divide(const IndexDivisor<Index>& by, Index dividend) noexcept {
    return by.multiply(dividend);
  }
};

}  // namespace dash::internal
