#include "Problem.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace histogram {

void generate(const Problem& problem, std::uint64_t first, std::vector<Key>& keys) {
  kernels::make_nas_keys(problem.log_bins, first, keys);
}

void change(const Problem& problem, int round, std::uint64_t first, std::vector<Key>& keys) {
  kernels::change_nas_keys(problem.log_bins, round, first, keys);
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

Verifier::Verifier(const Problem& problem)
    : _problem(problem),
      _class(kernels::find_nas_class(problem.log_keys, problem.log_bins)),
      _keys(problem.keys()) {
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
  const std::string all = "total and checksum of a count by one process";
  return _class != nullptr ? all + fmt::format(", ranks of class {}", _class->name) : all;
}

}  // namespace histogram
