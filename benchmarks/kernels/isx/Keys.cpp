#include "Keys.h"

namespace isx {

namespace {

/// Numbers modulo 2^46, each 5^13 times the one before.
class NasRandom {
 public:
  /// Behind the first `skipped` ones.
  explicit NasRandom(std::uint64_t skipped) {
    std::uint64_t power = factor;
    for (; skipped > 0; skipped /= 2) {
      if (skipped % 2 == 1) _state = _state * power & mask;
      power = power * power & mask;
    }
  }
  /// Between 0 and 1.
  double next() {
    _state = _state * factor & mask;
    return static_cast<double>(_state) * 0x1p-46;
  }

 private:
  static constexpr std::uint64_t factor = 1220703125;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 46) - 1;
  std::uint64_t _state = 314159265;
};

}  // namespace

void make_keys(int unit, std::uint32_t max_key, std::span<Key> keys) {
  const auto seed = static_cast<std::uint64_t>(unit);
  Pcg32 random(seed, seed);
  for (Key& key : keys)
    key = random.below(max_key);
}

void make_nas_keys(std::uint64_t first, std::uint32_t range, std::span<Key> keys) {
  constexpr int numbers_a_key = 4;
  NasRandom random(numbers_a_key * first);
  const double factor = range / 4;
  for (Key& key : keys) {
    double sum = random.next();
    for (int i = 1; i < numbers_a_key; ++i)
      sum += random.next();
    key = static_cast<Key>(factor * sum);
  }
}

}  // namespace isx
