#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/CheckedAllgather.h"
#include "dash/algorithm/internal/call/ElementSequence.h"
#include "dash/algorithm/internal/call/RangeParts.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/algorithm/internal/sort/FindSplits.h"
#include "dash/algorithm/internal/sort/MergeSort.h"
#include "dash/algorithm/internal/sort/SortKernel.h"
#include "dash/algorithm/internal/sort/SplitSearch.h"
#include "dash/internal/transfer/LocalBlocks.h"

namespace dash::internal {

/// Finds the element of a given rank in a range, and partitions the range by it.
///
/// Each round reduces the number of candidates: samples determine two pivots between which the
/// element lies with high probability, and each unit partitions its candidates by them. The few
/// remaining candidates are sorted.
/// \see Floyd, Rivest, Expected time bounds for selection, 1975
template <GlobalIterator GlobIt, class Compare>
class RankSelection {
  using T = typename GlobIt::value_type;

 public:
  /// \param rank  less than the number of elements
  RankSelection(Call& call, const GlobIt& first, const GlobIt& last, std::uint64_t rank,
                const Compare& before, int workers)
      : _call(call), _first(first), _last(last), _before(before), _rank(rank), _workers(workers) {}

  /// \returns the element
  /// \collective over the call's team; ends with a barrier
  T run() {
    load();
    while (narrow()) {
    }
    return write_result();
  }

 private:
  /// Maximum number of samples of a unit in a round.
  static constexpr std::size_t max_samples = 512;
  /// Number of candidates of all units that is small enough for sorting.
  static constexpr std::uint64_t max_sorted = std::uint64_t{1} << 14;

  /// A part of the caller's elements, processed by one task. The elements in front of `low` come
  /// before the element to find, those from `high` on do not, and those in between are candidates.
  struct Slice {
    std::size_t begin;
    std::size_t low;
    std::size_t high;
    std::size_t end;
    // Result of a round: candidates before the low pivot are in [low, middle), those after the high
    // pivot in [above, high).
    std::size_t middle = 0;
    std::size_t above = 0;
  };
  using Counts =
      std::array<std::uint64_t,
                 2>;  // candidates before the low pivot; candidates not after the high pivot

  std::uint64_t total() const {
    return std::accumulate(_sizes.begin(), _sizes.end(), std::uint64_t{0});
  }
  std::size_t samples_of(std::size_t unit) const {
    const std::uint64_t longest = *std::max_element(_sizes.begin(), _sizes.end());
    const std::uint64_t share = (max_samples * _sizes[unit] + longest - 1) / longest;
    return static_cast<std::size_t>(std::min(share, _sizes[unit]));
  }

  void load() {
    const auto sizes =
        _call.template contribute<std::uint64_t>([&]() -> std::optional<std::uint64_t> {
          const auto blocks = local_blocks_of(_first, _last);
          const std::size_t size =
              blocks.empty()
                  ? 0
                  : static_cast<std::size_t>(blocks.back().ordinal + blocks.back().length);
          _allgather.emplace(_call, max_samples, sizeof(T), alignof(T));
          _elements = Scratch<T>(size);
          for (const auto& block : blocks)
            std::copy(block.begin(), block.end(), _elements.data() + block.ordinal);
          _before.check(_elements.data(), size);
          const Slices slices(size, static_cast<std::size_t>(_workers));
          for (std::size_t i = 0; i < slices.count(); ++i)
            _slices.push_back({slices.begin(i), slices.begin(i), slices.end(i), slices.end(i)});
          return size;
        });
    for (std::size_t unit = 0; unit < sizes.size(); ++unit)
      _sizes.push_back(sizes[unit]);
  }

  /// Performs a round.
  /// \returns whether another round is expected to pay off
  bool narrow() {
    const std::uint64_t undecided = total();
    if (undecided <= max_sorted) return false;
    _allgather->gather([&](void* own) { write_samples(static_cast<T*>(own)); });
    bool is_one_value = false;
    const auto counts = _call.template contribute<Counts>([&]() -> std::optional<Counts> {
      const auto [low, high] = pivots();
      is_one_value = low != nullptr && high != nullptr && !_before(*low, *high);
      return partition_by(low, high);
    });
    std::uint64_t less = 0;
    std::uint64_t not_greater = 0;
    for (std::size_t unit = 0; unit < counts.size(); ++unit) {
      less += counts[unit][0];
      not_greater += counts[unit][1];
    }
    const std::uint64_t wanted = _rank - _preceding;
    for (std::size_t unit = 0; unit < counts.size(); ++unit) {
      const Counts of_unit = counts[unit];
      _sizes[unit] = wanted < less          ? of_unit[0]
                     : wanted < not_greater ? of_unit[1] - of_unit[0]
                                            : _sizes[unit] - of_unit[1];
    }
    for (Slice& slice : _slices) {
      if (wanted >= less) slice.low = wanted < not_greater ? slice.middle : slice.above;
      if (wanted < not_greater) slice.high = wanted < less ? slice.middle : slice.above;
    }
    _preceding += wanted < less ? 0 : wanted < not_greater ? less : not_greater;
    _is_one_value = is_one_value && wanted >= less && wanted < not_greater;
    ++_round;
    return !_is_one_value && total() <= undecided / 2;
  }

  /// Writes the caller's samples. The candidates are divided into one part per sample, and a
  /// pseudorandom element of each part is taken, so that samples are independent of the order of
  /// the elements.
  void write_samples(T* own) const {
    const auto self = static_cast<std::size_t>(_call.myid().id);
    const std::uint64_t size = _sizes[self];
    const std::uint64_t count = size == 0 ? 0 : samples_of(self);
    auto slice = _slices.begin();
    std::uint64_t skipped = 0;  // candidates of the slices before this one
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t begin = i * size / count;
      const std::uint64_t length = (i + 1) * size / count - begin;
      const std::uint64_t position = begin + pseudorandom(i + count * _round) % length;
      while (position >= skipped + (slice->high - slice->low)) {
        skipped += slice->high - slice->low;
        ++slice;
      }
      std::copy_n(_elements.data() + slice->low + (position - skipped), 1, own + i);
    }
  }
  /// \see splitmix64: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014
  static std::uint64_t pseudorandom(std::uint64_t i) {
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// The low and the high pivot: two samples between which the element lies with high probability;
  /// null if there is no such sample.
  std::pair<const T*, const T*> pivots() {
    std::vector<const T*> samples;
    for (std::size_t unit = 0; unit < _sizes.size(); ++unit) {
      if (_sizes[unit] == 0) continue;
      for (std::size_t i = 0; i < samples_of(unit); ++i)
        samples.push_back(static_cast<const T*>(_allgather->element(unit, i)));
    }
    std::sort(samples.begin(), samples.end(),
              [&](const T* a, const T* b) { return _before(*a, *b); });
    const auto count = static_cast<double>(samples.size());
    const double at =
        count * static_cast<double>(_rank - _preceding) / static_cast<double>(total());
    // Three standard deviations of the number of smaller elements among random samples.
    const double margin = 1.5 * std::sqrt(count) + 1;
    return {at - margin >= 0 ? samples[static_cast<std::size_t>(at - margin)] : nullptr,
            at + margin < count ? samples[static_cast<std::size_t>(at + margin)] : nullptr};
  }

  Counts partition_by(const T* low, const T* high) {
    run_tasks(_slices.size(), _workers, [&](std::size_t i) {
      Compare before = _before;  // a copy for each slice, since it may have state
      Slice& slice = _slices[i];
      T* const begin = _elements.data() + slice.low;
      T* const end = _elements.data() + slice.high;
      T* const middle =
          low == nullptr ? begin
                         : std::partition(begin, end, [&](const T& x) { return before(x, *low); });
      T* const above = high == nullptr ? end : std::partition(middle, end, [&](const T& x) {
        return !before(*high, x);
      });
      slice.middle = slice.low + static_cast<std::size_t>(middle - begin);
      slice.above = slice.low + static_cast<std::size_t>(above - begin);
    });
    Counts counts{};
    for (const Slice& slice : _slices) {
      counts[0] += slice.middle - slice.low;
      counts[1] += slice.above - slice.low;
    }
    return counts;
  }

  /// Sorts the remaining candidates and writes all elements to their final positions.
  T write_result() {
    std::vector<std::optional<UnitPart>> left;
    for (const std::uint64_t size : _sizes)
      left.push_back(UnitPart{size, 0, false});
    const auto self = static_cast<std::size_t>(_call.myid().id);
    const RangeParts parts(left, self);
    const std::uint64_t rank = _rank - _preceding;
    SplitSearch search(parts.sizes(), {rank, rank + 1}, sizeof(T));
    const auto size = static_cast<std::size_t>(_sizes[self]);
    Scratch<T> rest;
    _call.prepare([&] {
      rest = Scratch<T>(size);
      _allgather.emplace(_call, search.per_round(), sizeof(T), alignof(T));
    });
    SortKernelOf<T, Compare, false> kernel(_before);
    find_splits(
        *_allgather, parts, search, rest.data(), kernel,
        [&] {
          T* out = rest.data();
          for (const Slice& slice : _slices)
            out = std::copy(_elements.data() + slice.low, _elements.data() + slice.high, out);
          if (!_is_one_value) sort_native(rest.data(), size, kernel, _workers);
        },
        [] {});
    const auto split = static_cast<std::size_t>(search.split(0, self));
    const auto next = static_cast<std::size_t>(search.split(1, self));
    place_groups<3>(_call, _first, parts, [&] {
      Grouped<T, 3> groups;
      for (const Slice& slice : _slices)
        groups.add(0, _elements.data() + slice.begin, slice.low - slice.begin);
      groups.add(0, rest.data(), split);
      groups.add(1, rest.data() + split, next - split);
      groups.add(2, rest.data() + next, size - next);
      for (const Slice& slice : _slices)
        groups.add(2, _elements.data() + slice.high, slice.end - slice.high);
      return groups;
    });
    const auto found = _call.template contribute<T>([&]() -> std::optional<T> {
      if (next == split) return std::nullopt;
      return rest.data()[split];
    });
    std::size_t unit = 0;
    while (!found.has_value(unit))
      ++unit;
    return found[unit];
  }

  Call& _call;
  const GlobIt& _first;
  const GlobIt& _last;
  Compare _before;
  std::uint64_t _rank;
  int _workers;
  std::optional<CheckedAllgather> _allgather;
  std::uint64_t _round = 0;
  Scratch<T> _elements;
  std::vector<Slice> _slices;
  std::vector<std::uint64_t> _sizes;  // number of candidates of each unit
  std::uint64_t _preceding = 0;       // number of elements known to come before all candidates
  bool _is_one_value = false;         // whether all candidates are equal
};

}  // namespace dash::internal
