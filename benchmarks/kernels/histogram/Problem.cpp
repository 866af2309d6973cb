#include "Problem.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace histogram {

void generate(const Problem& problem, std::uint64_t first, std::vector<Key>& keys) {
  kernels::make_nas_keys(problem.log_bins, first, keys);
}

void change(const Problem& problem, int round, std::uint64_t first, std::vector<Key>& keys) {
  kernels::change_nas_keys(problem.log_bins, round, first, keys);
}

void change_all(int round, std::vector<Key>& keys) {
  // There are fewer rounds than bins, so each round gives a different permutation of the bins.
  for (Key& key : keys)
    key ^= static_cast<Key>(round);
}

std::uint64_t checksum(const BinRange& range) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < range.counts.size(); ++i) {
    // The finalizer of SplitMix64.
    std::uint64_t mixed = (range.first + i + 1) * 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    sum += range.counts[i] * (mixed ^ (mixed >> 31));
  }
  return sum;
}

void count(const std::vector<Key>& keys, std::span<Count> counts) {
  std::fill(counts.begin(), counts.end(), 0);
  for (const Key key : keys)
    ++counts[key];
}

void sum(std::span<const Count* const> arrays, std::span<Count> sums) {
  // A chunk of all arrays fits into the first-level cache.
  constexpr std::size_t chunk_size = 1024;
  for (std::size_t begin = 0; begin < sums.size(); begin += chunk_size) {
    const auto chunk = sums.subspan(begin, std::min(chunk_size, sums.size() - begin));
    std::copy_n(arrays.front() + begin, chunk.size(), chunk.begin());
    for (const Count* array : arrays.subspan(1))
      std::transform(chunk.begin(), chunk.end(), array + begin, chunk.begin(), std::plus<>());
  }
}

Verifier::Verifier(const Problem& problem)
    : _problem(problem),
      _class(kernels::find_nas_class(problem.log_keys, problem.log_bins)),
      _keys(problem.keys()) {
  generate(problem, 0, _keys);
}

std::string Verifier::check(int round, const std::vector<Count>& histogram) {
  while (_round < round)
    change(_problem, ++_round, 0, _keys);
  std::vector<Count> expected(_problem.bins());
  count(_keys, expected);
  const auto differs =
      std::mismatch(expected.begin(), expected.end(), histogram.begin(), histogram.end());
  if (differs.first != expected.end()) {
    return fmt::format("round {}: bin {} counts {} keys, expected {}", round,
                       differs.first - expected.begin(), *differs.second, *differs.first);
  }
  return _class != nullptr ? check_ranks(round, histogram) : std::string();
}

std::string Verifier::check_sums(const std::vector<std::uint64_t>& sums) {
  generate(_problem, 0, _keys);
  std::vector<Count> expected(_problem.bins());
  for (_round = 1; static_cast<std::size_t>(_round) <= sums.size(); ++_round) {
    change(_problem, _round, 0, _keys);
    change_all(_round, _keys);
    count(_keys, expected);
    if (sums[static_cast<std::size_t>(_round - 1)] == checksum({0, expected})) continue;
    return fmt::format("round {} of {} without barriers: the counts differ from those expected",
                       _round, sums.size());
  }
  return {};
}

std::string Verifier::check_ranks(int round, const std::vector<Count>& histogram) const {
  for (int i = 0; i < kernels::NasClass::tests; ++i) {
    const Key key = _keys[_class->places[static_cast<std::size_t>(i)]];
    const auto rank = std::accumulate(histogram.begin(), histogram.begin() + key, std::uint64_t{0});
    const std::uint64_t expected = _class->expected_rank(i, round);
    if (rank != expected) {
      return fmt::format("round {}: the rank of key {} of class {} is {}, expected {}", round, key,
                         _class->name, rank, expected);
    }
  }
  return {};
}

std::string Verifier::method() const {
  const std::string bins = "the counts of one process, bin by bin";
  return _class != nullptr ? bins + fmt::format(", ranks of class {}", _class->name) : bins;
}

}  // namespace histogram
