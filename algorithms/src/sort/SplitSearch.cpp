#include "dash/algorithm/internal/sort/SplitSearch.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "dash/Exception.h"

namespace dash::internal {

namespace {

/// Bytes that a unit shows in a round, if they are enough: a message of this size costs little more
/// than an empty one, and two or three rounds do for millions of elements.
constexpr std::size_t round_bytes = std::size_t{8} << 10;

/// A split of which so many samples are shown is sure to be found in a logarithmic number of rounds.
constexpr std::size_t least_samples = 8;

[[noreturn]] void throw_no_order() {
  DASH_THROW(dash::exception::InvalidArgument,
             "the comparison is no order of these elements: expected one in which at most one of "
             "two comes before the other, and elements that are equal to one are equal to each "
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
    // Nothing, or everything, is before it.
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
                        least_samples * std::max<std::size_t>(_open.size(), 1));
  // With all elements shown the first round decides.
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
      // In the middle of parts of equal length; all of them if there are that many.
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
  // Of each sequence, the numbers of elements that are before a sample at least and at most: up to
  // the last of its own samples that is not behind it, and up to the first that is.
  std::vector<std::uint64_t> least(low, low + static_cast<std::ptrdiff_t>(nsequences));
  std::vector<std::uint64_t> most(high, high + static_cast<std::ptrdiff_t>(nsequences));
  // Of each sample, the position of the next one of its sequence; the end for the last.
  std::vector<std::uint64_t> next(sorted.size());
  std::vector<std::uint64_t> following = most;
  for (std::size_t i = sorted.size(); i-- > 0;)
    next[i] = std::exchange(following[sorted[i].sequence], sorted[i].position);
  most = following;

  const std::uint64_t wanted = _ranks[rank];
  std::uint64_t before_least = std::accumulate(least.begin(), least.end(), std::uint64_t{0});
  std::uint64_t before_most = std::accumulate(most.begin(), most.end(), std::uint64_t{0});
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& [sequence, slot, position] = sorted[i];
    // Otherwise the order is not that of the sequence, which is sorted.
    if (position < least[sequence]) throw_no_order();
    before_least += position - least[sequence];
    least[sequence] = position;
    const auto at = static_cast<std::ptrdiff_t>(sequence);
    if (before_most < wanted) low[at] = std::max(low[at], position + 1);
    if (before_least >= wanted) high[at] = std::min(high[at], position);
    before_least += 1;
    least[sequence] = position + 1;
    before_most += next[i] - position;
    most[sequence] = next[i];
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
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    for (std::size_t sequence = 0; sequence < _sizes.size(); ++sequence) {
      if (low(rank, sequence) > high(rank, sequence)) throw_no_order();
      if (rank > 0 && done() && low(rank, sequence) < low(rank - 1, sequence)) throw_no_order();
      least += low(rank, sequence);
      most += high(rank, sequence);
    }
    if (least > _ranks[rank] || most < _ranks[rank]) throw_no_order();
  }
}

}  // namespace dash::internal
