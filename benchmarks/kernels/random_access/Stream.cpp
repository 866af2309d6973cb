#include "Stream.h"

#include <array>
#include <bit>

namespace random_access {

namespace {

/// The period of the stream.
constexpr std::uint64_t period = 1317624576693539401U;

/// Squares of the powers of x: element i is x_2i. The square of a polynomial is the xor of the
/// elements at its set bits.
constexpr std::array<Word, 64> squares() {
  std::array<Word, 64> result{};
  Word x = 1;
  for (Word& each : result) {
    each = x;
    x = next(next(x));
  }
  return result;
}

}  // namespace

Word element(std::uint64_t k) {
  static constexpr auto square_of_power = squares();
  k %= period;
  if (k == 0) return 1;
  Word x = 2;
  for (int bit = std::bit_width(k) - 2; bit >= 0; --bit) {
    Word square = 0;
    for (Word rest = x; rest != 0; rest &= rest - 1)
      square ^= square_of_power[static_cast<std::size_t>(std::countr_zero(rest))];
    x = (k >> bit & 1U) != 0 ? next(square) : square;
  }
  return x;
}

}  // namespace random_access
