#include "dash/algorithm/internal/sort/FindSplits.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace dash::internal {

namespace {

/// The samples of the last round in their order: by element, sequence and position.
std::vector<Sample> sorted_samples(const SplitSearch& search, std::size_t column,
                                   const Rounds& rounds, const RangeParts& parts,
                                   SortKernel& kernel) {
  std::vector<Sample> samples = search.samples(column);
  // Sequence by sequence they are sorted: where elements are equal this is the order to keep.
  std::stable_sort(samples.begin(), samples.end(), [&](const Sample& a, const Sample& b) {
    return kernel.before(rounds.shown(parts.unit(a.sequence), a.slot),
                         rounds.shown(parts.unit(b.sequence), b.slot));
  });
  return samples;
}

/// Draws the conclusions of what the last round has shown.
void conclude(SplitSearch& search, const Rounds& rounds, const RangeParts& parts,
              SortKernel& kernel) {
  std::vector<std::vector<Sample>> columns(search.columns());
  for (std::size_t column = 0; column < columns.size(); ++column)
    columns[column] = sorted_samples(search, column, rounds, parts, kernel);
  search.narrow(columns);
}

/// Writes what the caller is to show.
void show(const SplitSearch& search, const RangeParts& parts, const std::byte* sorted,
          std::size_t element_size, std::byte* own) {
  for (std::size_t column = 0; column < search.columns(); ++column) {
    for (const Sample& sample : search.samples(column)) {
      if (sample.sequence != parts.self()) continue;
      std::memcpy(own + sample.slot * element_size, sorted + sample.position * element_size,
                  element_size);
    }
  }
}

}  // namespace

void find_splits(Rounds& rounds, const RangeParts& parts, SplitSearch& search, const void* sorted,
                 SortKernel& kernel, exec::FunctionRef<void()> prepare,
                 exec::FunctionRef<void()> finish) {
  bool is_prepared = false;
  bool is_finished = false;
  while (!is_finished) {
    // A round concludes from what the one before has shown, so that an exception of the comparison
    // is told with the next.
    rounds.next([&](void* own) {
      if (is_prepared) {
        conclude(search, rounds, parts, kernel);
      } else {
        prepare();
        is_prepared = true;
      }
      if (search.done()) {
        finish();
        is_finished = true;
      } else {
        show(search, parts, static_cast<const std::byte*>(sorted), kernel.element_size(),
             static_cast<std::byte*>(own));
      }
    });
  }
}

}  // namespace dash::internal
