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

#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/call/ElementSequence.h"
#include "dash/algorithm/internal/sort/FindSplits.h"
#include "dash/algorithm/internal/sort/MergeSort.h"
#include "dash/algorithm/internal/call/RangeParts.h"
#include "dash/algorithm/internal/call/Rounds.h"
#include "dash/algorithm/internal/sort/SortKernel.h"
#include "dash/algorithm/internal/sort/SplitSearch.h"
#include "dash/algorithm/internal/call/Tasks.h"
#include "dash/internal/transfer/LocalBlocks.h"

namespace dash::internal {

/// Finds the element of a rank in a range, and parts the range by it.
///
/// Rounds narrow where it may be: samples say between which two values it lies, almost certainly,
/// and each unit parts its elements by them. The few that are left are sorted.
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
    return place();
  }

 private:
  /// Samples that a unit shows in a round.
  static constexpr std::size_t most_samples = 512;
  /// Elements, of all units, that are few enough to be sorted.
  static constexpr std::uint64_t few = std::uint64_t{1} << 14;

  /// A part of the caller's elements: what is before `low` comes before the element in question, what
  /// is from `high` on does not. One task each.
  struct Slice {
    std::size_t begin;
    std::size_t low;
    std::size_t high;
    std::size_t end;
    // What a round makes of it: less than its pivots from low to middle, more from above to high.
    std::size_t middle = 0;
    std::size_t above = 0;
  };
  using Counts = std::array<std::uint64_t, 2>;  // less than the pivots, and not more

  std::uint64_t total() const {
    return std::accumulate(_sizes.begin(), _sizes.end(), std::uint64_t{0});
  }
  std::size_t samples_of(std::size_t unit) const {
    const std::uint64_t longest = *std::max_element(_sizes.begin(), _sizes.end());
    const std::uint64_t share = (most_samples * _sizes[unit] + longest - 1) / longest;
    return static_cast<std::size_t>(std::min(share, _sizes[unit]));
  }

  void load() {
    const auto sizes =
        _call.template contribute<std::uint64_t>([&]() -> std::optional<std::uint64_t> {
          const auto runs = local_runs(_first, _last);
          const std::size_t size =
              runs.empty() ? 0 : static_cast<std::size_t>(runs.back().ordinal + runs.back().length);
          _rounds.emplace(_call, most_samples, sizeof(T), alignof(T));
          _elements = Scratch<T>(size);
          for (const auto& run : runs)
            std::copy(run.begin(), run.end(), _elements.data() + run.ordinal);
          _before.check(_elements.data(), size);
          const Slices slices(size, static_cast<std::size_t>(_workers));
          for (std::size_t i = 0; i < slices.count(); ++i)
            _slices.push_back({slices.begin(i), slices.begin(i), slices.end(i), slices.end(i)});
          return size;
        });
    for (std::size_t unit = 0; unit < sizes.size(); ++unit)
      _sizes.push_back(sizes[unit]);
  }

  /// One round. \returns whether another one is worth its while
  bool narrow() {
    const std::uint64_t undecided = total();
    if (undecided <= few) return false;
    _rounds->next([&](void* own) { show(static_cast<T*>(own)); });
    bool is_one_value = false;
    const auto counts = _call.template contribute<Counts>([&]() -> std::optional<Counts> {
      const auto [low, high] = pivots();
      is_one_value = low != nullptr && high != nullptr && !_before(*low, *high);
      return part_by(low, high);
    });
    std::uint64_t less = 0;
    std::uint64_t not_more = 0;
    for (std::size_t unit = 0; unit < counts.size(); ++unit) {
      less += counts[unit][0];
      not_more += counts[unit][1];
    }
    const std::uint64_t wanted = _rank - _before_all;
    for (std::size_t unit = 0; unit < counts.size(); ++unit) {
      const Counts of_unit = counts[unit];
      _sizes[unit] = wanted < less       ? of_unit[0]
                     : wanted < not_more ? of_unit[1] - of_unit[0]
                                         : _sizes[unit] - of_unit[1];
    }
    for (Slice& slice : _slices) {
      if (wanted >= less) slice.low = wanted < not_more ? slice.middle : slice.above;
      if (wanted < not_more) slice.high = wanted < less ? slice.middle : slice.above;
    }
    _before_all += wanted < less ? 0 : wanted < not_more ? less : not_more;
    _is_one_value = is_one_value && wanted >= less && wanted < not_more;
    ++_round;
    return !_is_one_value && total() <= undecided / 2;
  }

  /// One element of each of as many parts of the undecided ones as there are samples, where in it
  /// being random: whatever order they have, the samples do not follow it.
  void show(T* own) const {
    const auto self = static_cast<std::size_t>(_call.myid().id);
    const std::uint64_t size = _sizes[self];
    const std::uint64_t count = size == 0 ? 0 : samples_of(self);
    auto slice = _slices.begin();
    std::uint64_t skipped = 0;  // undecided elements of slices before this one
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t begin = i * size / count;
      const std::uint64_t length = (i + 1) * size / count - begin;
      const std::uint64_t position = begin + scattered(i + count * _round) % length;
      while (position >= skipped + (slice->high - slice->low)) {
        skipped += slice->high - slice->low;
        ++slice;
      }
      std::copy_n(_elements.data() + slice->low + (position - skipped), 1, own + i);
    }
  }
  /// \see splitmix64: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014
  static std::uint64_t scattered(std::uint64_t i) {
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Two samples between which the element is, almost certainly; null where that is an end.
  std::pair<const T*, const T*> pivots() {
    std::vector<const T*> samples;
    for (std::size_t unit = 0; unit < _sizes.size(); ++unit) {
      if (_sizes[unit] == 0) continue;
      for (std::size_t i = 0; i < samples_of(unit); ++i)
        samples.push_back(static_cast<const T*>(_rounds->shown(unit, i)));
    }
    std::sort(samples.begin(), samples.end(),
              [&](const T* a, const T* b) { return _before(*a, *b); });
    const auto count = static_cast<double>(samples.size());
    const double at =
        count * static_cast<double>(_rank - _before_all) / static_cast<double>(total());
    // Three standard deviations of what is less among random samples.
    const double margin = 1.5 * std::sqrt(count) + 1;
    return {at - margin >= 0 ? samples[static_cast<std::size_t>(at - margin)] : nullptr,
            at + margin < count ? samples[static_cast<std::size_t>(at + margin)] : nullptr};
  }

  Counts part_by(const T* low, const T* high) {
    run_tasks(_slices.size(), _workers, [&](std::size_t i) {
      Compare before = _before;  // a copy for each slice: it may have a state
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

  /// Sorts what is left, and puts all where they belong.
  T place() {
    std::vector<std::optional<PartOfUnit>> left;
    for (const std::uint64_t size : _sizes)
      left.push_back(PartOfUnit{size, 0, false});
    const auto self = static_cast<std::size_t>(_call.myid().id);
    const RangeParts parts(left, self);
    const std::uint64_t rank = _rank - _before_all;
    SplitSearch search(parts.sizes(), {rank, rank + 1}, sizeof(T));
    const auto size = static_cast<std::size_t>(_sizes[self]);
    Scratch<T> rest;
    _call.prepare([&] {
      rest = Scratch<T>(size);
      _rounds.emplace(_call, search.per_round(), sizeof(T), alignof(T));
    });
    SortKernelOf<T, Compare, false> kernel(_before);
    find_splits(
        *_rounds, parts, search, rest.data(), kernel,
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
  std::optional<Rounds> _rounds;
  std::uint64_t _round = 0;
  Scratch<T> _elements;
  std::vector<Slice> _slices;
  std::vector<std::uint64_t> _sizes;  // of each unit, what may be the element
  std::uint64_t _before_all = 0;      // elements that come before all of these
  bool _is_one_value = false;         // these are all equal
};

}  // namespace dash::internal
