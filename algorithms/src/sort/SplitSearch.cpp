#include "dash/algorithm/internal/sort/SplitSearch.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "dash/Exception.h"

namespace dash::internal {

namespace {

/// Preferred number of bytes that a unit contributes in a round. A message of this size costs
/// little more than an empty one, and two or three rounds suffice for millions of elements.
constexpr std::size_t round_bytes = std::size_t{8} << 10;

/// Minimum number of samples per split that guarantees a logarithmic number of rounds.
constexpr std::size_t min_samples = 8;

[[noreturn]] void throw_no_order() {
  DASH_THROW(dash::exception::InvalidArgument,
             "the comparison is not a strict weak ordering of these elements: expected that at "
             "most one of "
             "two elements comes before the other, and elements equal to one are equal to each "
             "other (NaN is not)");
}

}  // namespace

SplitSearch::SplitSearch(std::vector<std::uint64_t> sizes, const std::vector<std::uint64_t>& ranks,
                         std::size_t sample_bytes)
    : _sizes(std::move(sizes)), _ranks(ranks) {
  const std::uint64_t total = std::accumulate(_sizes.begin(), _sizes.end(), std::uint64_t{0});
  _low.assign(_ranks.size() * _sizes.size(), 0);
  for (std::size_t rank = 0; rank < _ranks.size(); ++rank) {
    _high.insert(_high.end(), _sizes.begin(), _sizes.end());
    if (_ranks[rank] != 0 && _ranks[rank] < total) {
      _open.push_back(rank);
      continue;
    }
    // No element, or every element, precedes the split.
    const auto begin = static_cast<std::ptrdiff_t>(rank * _sizes.size());
    if (_ranks[rank] == 0) {
      std::fill(_high.begin() + begin, _high.end(), 0);
    } else {
      std::copy(_sizes.begin(), _sizes.end(), _low.begin() + begin);
    }
  }
  const std::size_t longest =
      _sizes.empty() ? 0
                     : static_cast<std::size_t>(*std::max_element(_sizes.begin(), _sizes.end()));
  _per_round = std::max(round_bytes / std::max<std::size_t>(sample_bytes, 1),
                        min_samples * std::max<std::size_t>(_open.size(), 1));
  // If all elements are samples, the first round decides.
  _per_round = std::min(_per_round, std::max<std::size_t>(longest, 1));
}

std::size_t SplitSearch::columns() const noexcept {
  return _first_round ? std::min<std::size_t>(_open.size(), 1) : _open.size();
}

std::size_t SplitSearch::per_column() const noexcept {
  return _per_round / std::max<std::size_t>(columns(), 1);
}

std::uint64_t SplitSearch::undecided(std::size_t rank) const {
  std::uint64_t sum = 0;
  for (std::size_t sequence = 0; sequence < _sizes.size(); ++sequence)
    sum += high(rank, sequence) - low(rank, sequence);
  return sum;
}

std::vector<Sample> SplitSearch::samples(std::size_t column) const {
  std::vector<Sample> result;
  const std::size_t rank = _open[column];
  for (std::size_t sequence = 0; sequence < _sizes.size(); ++sequence) {
    const std::uint64_t begin = low(rank, sequence);
    const std::uint64_t length = high(rank, sequence) - begin;
    const std::uint64_t count = std::min<std::uint64_t>(length, per_column());
    for (std::uint64_t i = 0; i < count; ++i) {
      // The middle of parts of equal length; every element if there are enough samples.
      result.push_back({static_cast<std::uint32_t>(sequence),
                        static_cast<std::uint32_t>(column * per_column() + i),
                        begin + (2 * i + 1) * length / (2 * count)});
    }
  }
  return result;
}

void SplitSearch::narrow_rank(std::size_t rank, const std::vector<Sample>& sorted) {
  const std::size_t nsequences = _sizes.size();
  const auto low = _low.begin() + static_cast<std::ptrdiff_t>(rank * nsequences);
  const auto high = _high.begin() + static_cast<std::ptrdiff_t>(rank * nsequences);
  // Lower and upper bounds of the number of elements of each sequence that precede the current
  // sample, from the last sample of the sequence that is not after it, and the first one that is.
  std::vector<std::uint64_t> lower(low, low + static_cast<std::ptrdiff_t>(nsequences));
  std::vector<std::uint64_t> upper(high, high + static_cast<std::ptrdiff_t>(nsequences));
  // For each sample, the position of the next sample of its sequence, or the end of the sequence.
  std::vector<std::uint64_t> next(sorted.size());
  std::vector<std::uint64_t> following = upper;
  for (std::size_t i = sorted.size(); i-- > 0;)
    next[i] = std::exchange(following[sorted[i].sequence], sorted[i].position);
  upper = following;

  const std::uint64_t wanted = _ranks[rank];
  std::uint64_t lower_sum = std::accumulate(lower.begin(), lower.end(), std::uint64_t{0});
  std::uint64_t upper_sum = std::accumulate(upper.begin(), upper.end(), std::uint64_t{0});
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& [sequence, slot, position] = sorted[i];
    // Samples of a sorted sequence are in ascending order, unless the comparison is inconsistent.
    if (position < lower[sequence]) throw_no_order();
    lower_sum += position - lower[sequence];
    lower[sequence] = position;
    const auto at = static_cast<std::ptrdiff_t>(sequence);
    if (upper_sum < wanted) low[at] = std::max(low[at], position + 1);
    if (lower_sum >= wanted) high[at] = std::min(high[at], position);
    lower_sum += 1;
    lower[sequence] = position + 1;
    upper_sum += next[i] - position;
    upper[sequence] = next[i];
  }
}

void SplitSearch::narrow(const std::vector<std::vector<Sample>>& sorted) {
  std::vector<std::size_t> still_open;
  for (std::size_t i = 0; i < _open.size(); ++i) {
    const std::size_t rank = _open[i];
    const std::uint64_t before = undecided(rank);
    narrow_rank(rank, sorted[_first_round ? 0 : i]);
    const std::uint64_t after = undecided(rank);
    if (after != 0) still_open.push_back(rank);
    if (after >= before) throw_no_order();
  }
  _open = std::move(still_open);
  _first_round = false;
  check();
}

void SplitSearch::check() const {
  for (std::size_t rank = 0; rank < _ranks.size(); ++rank) {
    std::uint64_t lower = 0;
    std::uint64_t upper = 0;
    for (std::size_t sequence = 0; sequence < _sizes.size(); ++sequence) {
      if (low(rank, sequence) > high(rank, sequence)) throw_no_order();
      if (rank > 0 && done() && low(rank, sequence) < low(rank - 1, sequence)) throw_no_order();
      lower += low(rank, sequence);
      upper += high(rank, sequence);
    }
    if (lower > _ranks[rank] || upper < _ranks[rank]) throw_no_order();
  }
}

}  // namespace dash::internal
