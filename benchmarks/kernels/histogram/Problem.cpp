#include "Problem.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace histogram {

namespace {

constexpr int bits = 46;
constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
constexpr std::uint64_t factor = 1220703125;
constexpr std::uint64_t seed = 314159265;

constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return a * b & mask;
}

/// The state after so many random numbers.
std::uint64_t state_after(std::uint64_t count) {
  std::uint64_t state = seed;
  for (std::uint64_t power = factor; count > 0; count /= 2) {
    if (count % 2 == 1) state = product(state, power);
    power = product(power, power);
  }
  return state;
}

}  // namespace

void generate(const Problem& problem, std::uint64_t first, std::vector<Key>& keys) {
  std::uint64_t state = state_after(4 * first);
  for (Key& key : keys) {
    // A quarter of the bins times four numbers of 46 bits behind the point, without rounding.
    std::uint64_t sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += state = product(state, factor);
    key = static_cast<Key>(sum >> (bits + 2 - problem.log_bins));
  }
}

void change(const Problem& problem, int round, std::uint64_t first, std::vector<Key>& keys) {
  const auto set = [&](std::uint64_t place, Key key) {
    if (place >= first && place - first < keys.size()) keys[place - first] = key;
  };
  const auto number = static_cast<Key>(round);
  set(number, number);
  set(number + 10, static_cast<Key>(problem.bins()) - number);
}

void count(const std::vector<Key>& keys, std::span<Count> counts) {
  std::fill(counts.begin(), counts.end(), 0);
  for (const Key key : keys)
    ++counts[key];
}

std::uint64_t checksum(const std::vector<Count>& histogram) {
  std::uint64_t sum = 0;
  for (std::size_t bin = 0; bin < histogram.size(); ++bin)
    sum += histogram[bin] * (bin + 1);
  return sum;
}

/// The ranks that NAS IS tests: of the keys that are at some places before the first round.
struct Verifier::Class {
  char name;
  int log_keys;
  int log_bins;
  std::array<std::uint64_t, 5> places;
  std::array<std::int64_t, 5> ranks;
  // The first few ranks grow with the round, the others shrink; from so many rounds on.
  int growing;
  int rounds_before_growing;
  int rounds_before_shrinking;
};

const Verifier::Class* Verifier::class_of(const Problem& problem) {
  static constexpr std::array classes{
      Class{'S', 16, 11, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}, 3, 0, 0},
      Class{'W',
            20,
            16,
            {357773, 934767, 875723, 898999, 404505},
            {1249, 11698, 1039987, 1043896, 1048018},
            2,
            2,
            0},
      Class{'A',
            23,
            19,
            {2112377, 662041, 5336171, 3642833, 4250760},
            {104, 17523, 123928, 8288932, 8388264},
            3,
            1,
            1},
  };
  for (const Class& each : classes) {
    if (each.log_keys == problem.log_keys && each.log_bins == problem.log_bins) return &each;
  }
  return nullptr;
}

Verifier::Verifier(const Problem& problem)
    : _problem(problem), _class(class_of(problem)), _keys(problem.keys()) {
  generate(problem, 0, _keys);
}

std::string Verifier::check(int round, const std::vector<Count>& histogram) {
  change(_problem, round, 0, _keys);
  const auto total = std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0});
  if (total != _keys.size()) {
    return fmt::format("round {}: the histogram counts {} keys, expected {}", round, total,
                       _keys.size());
  }
  std::vector<Count> expected(_problem.bins());
  count(_keys, expected);
  if (checksum(histogram) != checksum(expected)) {
    return fmt::format("round {}: the checksum is {:#x}, expected {:#x}", round,
                       checksum(histogram), checksum(expected));
  }
  return _class != nullptr ? check_ranks(round, histogram) : std::string();
}

std::string Verifier::check_ranks(int round, const std::vector<Count>& histogram) const {
  for (std::size_t i = 0; i < _class->places.size(); ++i) {
    const Key key = _keys[_class->places[i]];
    const auto rank = std::accumulate(histogram.begin(), histogram.begin() + key, std::int64_t{0});
    const std::int64_t expected = static_cast<int>(i) < _class->growing
                                      ? _class->ranks[i] + round - _class->rounds_before_growing
                                      : _class->ranks[i] - round + _class->rounds_before_shrinking;
    if (rank != expected) {
      return fmt::format("round {}: the rank of key {} of class {} is {}, expected {}", round, key,
                         _class->name, rank, expected);
    }
  }
  return {};
}

std::string Verifier::method() const {
  const std::string all = "total and checksum of a count by one process";
  return _class != nullptr ? all + fmt::format(", ranks of class {}", _class->name) : all;
}

}  // namespace histogram
