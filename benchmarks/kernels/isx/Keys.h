#pragma once

#include <cstdint>
#include <span>

namespace isx {

using Key = std::uint32_t;

/// The generator PCG32 (XSH-RR). \see O'Neill, PCG: A Family of Better Random Number Generators
class Pcg32 {
 public:
  Pcg32(std::uint64_t seed, std::uint64_t stream) : _increment(2 * stream + 1) {
    next();
    _state += seed;
    next();
  }
  std::uint32_t next() {
    const std::uint64_t old = _state;
    _state = old * 6364136223846793005U + _increment;
    const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto rotation = static_cast<std::uint32_t>(old >> 59);
    return shifted >> rotation | shifted << (-rotation & 31U);
  }
  /// A uniformly distributed number below `bound`.
  std::uint32_t below(std::uint32_t bound) {
    const std::uint32_t threshold = -bound % bound;
    std::uint32_t value = next();
    while (value < threshold)
      value = next();
    return value % bound;
  }

 private:
  std::uint64_t _state = 0;
  std::uint64_t _increment;
};

/// Generates the keys of a unit for ISx, from 0 to max_key - 1.
void make_keys(int unit, std::uint32_t max_key, std::span<Key> keys);

}  // namespace isx
