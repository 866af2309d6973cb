#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "dash/algorithm/internal/PartsOfRange.h"
#include "dash/algorithm/internal/Rounds.h"
#include "dash/algorithm/internal/SplitSearch.h"

namespace dash::internal {

/// The samples of the last round in their order: by element, sequence and position.
template <class T, class Compare>
std::vector<Sample> sorted_samples(const SplitSearch& search, std::size_t column,
                                   const Rounds<T>& rounds, const PartsOfRange& parts,
                                   Compare& before) {
  std::vector<Sample> samples = search.samples(column);
  // Sequence by sequence they are sorted: where elements are equal this is the order to keep.
  std::stable_sort(samples.begin(), samples.end(), [&](const Sample& a, const Sample& b) {
    return before(rounds.shown(parts.unit(a.sequence), a.slot),
                  rounds.shown(parts.unit(b.sequence), b.slot));
  });
  return samples;
}

/// Finds where the sequences of all units have to be split; each unit's is sorted.
///
/// \param rounds   of search.per_round() elements
/// \param prepare  called first, and makes the caller's sequence; only then `sorted` is read
/// \param finish   called when the splits are known
/// \completion  all units have returned from finish
/// \throws exception::RuntimeError on all units if something throws on one
/// \collective over the call's team
/// \cost all-gathers of some KiB a unit, logarithmically many: 3 or 4 for 2^24 elements
template <class T, class Compare, class Prepare, class Finish>
void find_splits(Rounds<T>& rounds, const PartsOfRange& parts, SplitSearch& search, const T* sorted,
                 const Compare& order, Prepare prepare, Finish finish) {
  Compare before = order;
  bool is_prepared = false;
  bool is_finished = false;
  const auto conclude = [&] {
    std::vector<std::vector<Sample>> columns(search.columns());
    for (std::size_t column = 0; column < columns.size(); ++column)
      columns[column] = sorted_samples(search, column, rounds, parts, before);
    search.narrow(columns);
  };
  const auto show = [&](T* own) {
    for (std::size_t column = 0; column < search.columns(); ++column) {
      for (const Sample& sample : search.samples(column)) {
        if (sample.sequence == parts.self()) {
          std::copy_n(sorted + sample.position, 1, own + sample.slot);
        }
      }
    }
  };
  while (!is_finished) {
    // A round concludes from what the one before has shown, so that an exception of the comparison
    // is told with the next.
    rounds.next([&](T* own) {
      if (is_prepared) {
        conclude();
      } else {
        prepare();
        is_prepared = true;
      }
      if (search.done()) {
        finish();
        is_finished = true;
      } else {
        show(own);
      }
    });
  }
}

}  // namespace dash::internal
