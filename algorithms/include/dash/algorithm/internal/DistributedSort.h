#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/algorithm/internal/Call.h"
#include "dash/algorithm/internal/FindSplits.h"
#include "dash/algorithm/internal/MergeSort.h"
#include "dash/algorithm/internal/PartsOfRange.h"
#include "dash/algorithm/internal/PositionCopy.h"
#include "dash/algorithm/internal/Rounds.h"
#include "dash/algorithm/internal/SplitSearch.h"
#include "dash/algorithm/internal/Tasks.h"
#include "dash/internal/LocalRuns.h"
#include "dash/internal/RangeTransfer.h"
#include "dash/internal/Transfer.h"
#include "dash/pattern/CSRPattern.h"

namespace dash::internal {

/// How a sort goes.
struct SortOptions {
  bool stable = false;
  int workers = 1;
};

/// Sorts a range of which each unit has consecutive elements.
///
/// 1. Each unit sorts its own.
/// 2. They find, for all units at once, which parts of the sorted sequences belong to a unit.
/// 3. Each unit fetches the parts that are to be its own.
/// 4. When all have done so, it merges them into its place.
template <GlobalIterator GlobIt, class Compare>
class SortInPlace {
  using T = typename GlobIt::value_type;
  using Index = typename GlobIt::index_type;

 public:
  /// \param own  the caller's elements
  SortInPlace(Call& call, const GlobIt& first, const PartsOfRange& parts, T* own,
              const Compare& before, const SortOptions& options)
      : _call(call),
        _first(first),
        _parts(parts),
        _own(own),
        _size(static_cast<std::size_t>(parts.size(parts.self()))),
        _before(before),
        _options(options),
        _search(parts.sizes(), parts.offsets(), sizeof(T)) {}

  /// \param prepare, finish  are called on each unit before the first step and after the last
  /// \throws exception::RuntimeError on all units if something throws on one
  /// \collective over the call's team  \blocks until all units have finished
  template <class Prepare, class Finish>
  void run(Prepare prepare, Finish finish) {
    std::optional<Rounds<T>> rounds;
    _call.prepare([&] { rounds.emplace(_call, _search.per_round()); });
    find_splits(
        *rounds, _parts, _search, _own, _before,
        [&] {
          prepare();
          _before.check(_own, _size);
          sort_native(_own, _size, _before, _options.stable, _options.workers);
        },
        [&] { fetch(); });
    _call.run([&] {
      merge();
      finish();
    });
  }

 private:
  struct Piece {
    std::size_t begin;
    std::size_t size;
  };

  /// What of a sequence is to be the caller's.
  Piece piece(std::size_t sequence) const {
    const auto begin = _search.split(_parts.self(), sequence);
    const auto end = _search.split(_parts.self() + 1, sequence);
    return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)};
  }

  void fetch() {
    std::size_t filled = 0;
    for (std::size_t sequence = 0; sequence < _parts.count(); ++sequence) {
      if (piece(sequence).size > 0) ++filled;
    }
    const std::size_t self = _parts.self();
    // Of two pieces the own one can stay, unless several workers are to merge them.
    _own_stays = filled < 2 ? piece(self).size == _size
                            : filled == 2 && piece(self).size > 0 && _options.workers == 1;
    std::vector<std::size_t> at(_parts.count());
    _bounds = {0};
    for (std::size_t sequence = 0; sequence < _parts.count(); ++sequence) {
      at[sequence] = _bounds.back();
      if (piece(sequence).size == 0 || (sequence == self && _own_stays)) continue;
      _bounds.push_back(_bounds.back() + piece(sequence).size);
    }
    if (_bounds.back() == 0) return;
    _fetched = Scratch<T>(_bounds.back());
    Transfer transfer(_call.myid(), Transfer::Mode::blocking);
    for (std::size_t i = 1; i < _parts.count(); ++i) {
      // Beginning with the next one, so that not all turn to the same unit first.
      const std::size_t sequence = (self + i) % _parts.count();
      const Piece from = piece(sequence);
      if (from.size == 0) continue;
      const GlobIt begin = _first + static_cast<Index>(_parts.offset(sequence) + from.begin);
      start_get(transfer, begin, begin + static_cast<Index>(from.size),
                _fetched.data() + at[sequence]);
    }
    if (!_own_stays) {
      const Piece own = piece(self);
      copy_elements(_own + own.begin, own.size, _fetched.data() + at[self], _options.workers);
    }
    transfer.wait();
  }

  void merge() {
    if (_bounds.back() == 0) return;
    if (_own_stays) {
      merge_fetched_with_own();
      return;
    }
    Merger<T, Compare> merger(std::move(_bounds), _before, _options.workers);
    const T* const result = merger.merge(_fetched.data(), _own);
    if (result != _own) copy_elements(result, _size, _own, _options.workers);
  }

  /// The own piece moves to the end of its place, where what is written does not overtake it.
  void merge_fetched_with_own() {
    const Piece own = piece(_parts.self());
    const std::size_t fetched_size = _bounds.back();
    T* const own_begin = _own + fetched_size;
    std::memmove(static_cast<void*>(own_begin), _own + own.begin, own.size * sizeof(T));
    const T* const fetched = _fetched.data();
    if (first_piece() == _parts.self()) {
      merge_forward<T>(own_begin, own_begin + own.size, fetched, fetched + fetched_size, _own,
                       _before);
    } else {
      merge_forward<T>(fetched, fetched + fetched_size, own_begin, own_begin + own.size, _own,
                       _before);
    }
  }
  std::size_t first_piece() const {
    std::size_t sequence = 0;
    while (piece(sequence).size == 0)
      ++sequence;
    return sequence;
  }

  Call& _call;
  const GlobIt& _first;
  const PartsOfRange& _parts;
  T* _own;
  std::size_t _size;
  Compare _before;
  SortOptions _options;
  SplitSearch _search;
  Scratch<T> _fetched;
  std::vector<std::size_t> _bounds;  // of the fetched pieces
  bool _own_stays = false;
};

/// Sorts a range.
///
/// Where the units' elements are not consecutive, they are copied to memory where they are, and from
/// there to where they belong. To be stable, in their order of positions; else each unit its own.
template <GlobalIterator GlobIt, class Compare>
void sort_range(Call& call, const GlobIt& first, const GlobIt& last, const Compare& before,
                const SortOptions& options) {
  using T = typename GlobIt::value_type;
  using Index = typename GlobIt::index_type;
  std::vector<LocalRun<std::remove_pointer_t<typename GlobIt::local_type>>> runs;
  const PartsOfRange parts = parts_of_range(call, first, last, runs);
  if (parts.total() < 2) return;
  if (parts.in_place()) {
    T* const own = runs.empty() ? nullptr : runs.front().data;
    SortInPlace<GlobIt, Compare>(call, first, parts, own, before, options).run([] {}, [] {});
    return;
  }
  using Pattern = CSRPattern<1, ROW_MAJOR, Index>;
  const std::vector<typename Pattern::size_type> sizes(parts.sizes().begin(), parts.sizes().end());
  Array<T, Index, Pattern> sequence(Pattern(sizes, call.team()));
  const auto begin = static_cast<Index>(parts.offset(parts.self()));
  const auto end = static_cast<Index>(parts.offset(parts.self() + 1));
  const auto fill = [&] {
    if (options.stable) {
      PositionCopy<GlobIt>(first).get(begin, end, sequence.lbegin());
      return;
    }
    for (const auto& run : runs)
      std::copy(run.begin(), run.end(), sequence.lbegin() + run.ordinal);
  };
  const auto place = [&] { PositionCopy<GlobIt>(first).put(sequence.lbegin(), begin, end); };
  const auto sequence_begin = sequence.begin();
  SortInPlace<std::remove_const_t<decltype(sequence_begin)>, Compare>(
      call, sequence_begin, parts, sequence.lbegin(), before, options)
      .run(fill, place);
}

}  // namespace dash::internal
