#include "support/NasKeys.h"

namespace kernels {

namespace {

constexpr std::array<NasClass, 3> classes{{
    {'S', 16, 11, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}, 3, 0, 0},
    {'W',
     20,
     16,
     {357773, 934767, 875723, 898999, 404505},
     {1249, 11698, 1039987, 1043896, 1048018},
     2,
     -2,
     0},
    {'A',
     23,
     19,
     {2112377, 662041, 5336171, 3642833, 4250760},
     {104, 17523, 123928, 8288932, 8388264},
     3,
     -1,
     1},
}};

/// The generator of the NAS benchmarks: numbers modulo 2^46, each 5^13 times the previous one.
class Random {
 public:
  static constexpr int bits = 46;

  /// Skips the first `skipped` numbers.
  explicit Random(std::uint64_t skipped) {
    std::uint64_t power = factor;
    for (; skipped > 0; skipped /= 2) {
      if (skipped % 2 == 1) _state = _state * power & mask;
      power = power * power & mask;
    }
  }
  std::uint64_t next() { return _state = _state * factor & mask; }

 private:
  static constexpr std::uint64_t factor = 1220703125;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t _state = 314159265;
};

}  // namespace

std::uint64_t NasClass::expected_rank(int i, int iteration) const {
  const auto rank = ranks[static_cast<std::size_t>(i)];
  return static_cast<std::uint64_t>(i < rising ? rank + rise_from + iteration
                                               : rank + fall_from - iteration);
}

const NasClass* find_nas_class(const std::string& name) {
  for (const NasClass& each : classes) {
    if (name.size() == 1 && name[0] == each.name) return &each;
  }
  return nullptr;
}

const NasClass* find_nas_class(int log_keys, int log_range) {
  for (const NasClass& each : classes) {
    if (each.log_keys == log_keys && each.log_range == log_range) return &each;
  }
  return nullptr;
}

void make_nas_keys(int log_range, std::uint64_t first, std::span<std::uint32_t> keys) {
  constexpr int numbers_a_key = 4;
  Random random(numbers_a_key * first);
  for (std::uint32_t& key : keys) {
    // A quarter of the range times the sum of the numbers as fractions, without rounding.
    std::uint64_t sum = 0;
    for (int i = 0; i < numbers_a_key; ++i)
      sum += random.next();
    key = static_cast<std::uint32_t>(sum >> (Random::bits + 2 - log_range));
  }
}

void change_nas_keys(int log_range, int iteration, std::uint64_t first,
                     std::span<std::uint32_t> keys) {
  const auto set = [&](std::uint64_t place, std::uint32_t key) {
    if (place >= first && place - first < keys.size()) keys[place - first] = key;
  };
  const auto number = static_cast<std::uint32_t>(iteration);
  set(number, number);
  set(number + NasClass::iterations, (std::uint32_t{1} << log_range) - number);
}

}  // namespace kernels
