#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace dash::internal {

/// Division by a number that stays the same, as a multiplication and a shift, so that no division
/// is needed to map an index to its owner.
/// \see T. Granlund, P. Montgomery, Division by invariant integers using multiplication, 1994,
///      Theorem 4.2 with N = 63
class FastDivisor {
 public:
  /// Divides by 1.
  constexpr FastDivisor() noexcept : FastDivisor(1) {}

  /// \pre 1 <= divisor < 2^63
  explicit constexpr FastDivisor(std::uint64_t divisor) noexcept
      : _shift(static_cast<unsigned>(std::bit_width(divisor - 1))) {
    if (std::has_single_bit(divisor)) return;
    // floor(2^(63 + shift) / divisor) + 1 fits 64 bits since 2^(shift - 1) < divisor.
    _multiplier = static_cast<std::uint64_t>((uint128{1} << (63 + _shift)) / divisor) + 1;
  }

  /// \pre 0 <= dividend < 2^63
  constexpr std::uint64_t divide(std::uint64_t dividend) const noexcept {
    if (_multiplier == 0) return dividend >> _shift;
    // (multiplier * dividend) >> (63 + shift), in terms of the upper half of a product.
    return static_cast<std::uint64_t>((uint128{_multiplier} * (dividend << 1)) >> 64) >> _shift;
  }

 private:
  __extension__ using uint128 = unsigned __int128;

  std::uint64_t _multiplier = 0;  // 0: a power of two
  unsigned _shift;
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
  explicit constexpr IndexDivisor(Index divisor) noexcept
      : _divisor(divisor > 0 ? to_unsigned(divisor) : 1) {}

  /// \pre dividend >= 0
  constexpr Index divide(Index dividend) const noexcept {
    return static_cast<Index>(_divisor.divide(to_unsigned(dividend)));
  }

 private:
  FastDivisor _divisor;
};

}  // namespace dash::internal
