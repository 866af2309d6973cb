#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace dash::internal {

/// Selects one of two numbers without a branch: for unpredictable conditions.
template <class T>
[[gnu::always_inline]] constexpr T either(bool first, T a, T b) noexcept {
  // Otherwise compilers that see where the numbers come from emit a branch that loads one of them.
  if (!std::is_constant_evaluated()) asm("" : "+r"(a), "+r"(b));
  return __builtin_expect_with_probability(first, 1, 0.5) != 0 ? a : b;
}

/// Division by an invariant divisor as a multiplication and a shift, so that mapping an index to
/// its owner needs no division instruction. Branch-free for every divisor.
/// \see A. Robison, N-bit unsigned division via N-bit multiply-add, 2005. Its variant that rounds
///         down is sufficient for all divisors, since dividends have at most 63 bits
class FastDivisor {
 public:
  static constexpr std::uint64_t largest = ~std::uint64_t{0} >> 1;

  /// Divides by 1.
  constexpr FastDivisor() noexcept = default;

  /// \param most  the largest dividend; if it is small enough, no shift is needed
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

  /// \pre 0 <= dividend < 2^63, and at most the constructor's `most`
  constexpr std::uint64_t divide(std::uint64_t dividend) const noexcept {
    return multiply(dividend) >> _shift;
  }

  /// Selects one of two divisors without a branch.
  [[gnu::always_inline]] static constexpr FastDivisor either(bool first, const FastDivisor& a,
                                                             const FastDivisor& b) noexcept {
    FastDivisor result;
    result._multiplier = internal::either(first, a._multiplier, b._multiplier);
    result._shift = internal::either(first, a._shift, b._shift);
    return result;
  }

  /// Whether multiply() alone yields the quotient.
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

/// Converts a non-negative index to an unsigned number, for which shifts and divisions are faster.
template <class Index>
constexpr std::uint64_t to_unsigned(Index index) noexcept {
  return static_cast<std::make_unsigned_t<Index>>(index);
}

/// Divides signed indices by an invariant divisor. A divisor of 0, as for empty ranges, is replaced
/// by 1.
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
  /// Selects one of two divisors without a branch.
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

/// Division policies of a mapping. AnyDivision works for all divisors; ShiftlessDivision only if
/// none of them needs a shift, which is tested once for each access.
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
