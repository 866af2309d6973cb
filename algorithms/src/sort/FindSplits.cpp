#include "dash/algorithm/internal/sort/FindSplits.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace dash::internal {

namespace {

/// The samples of the previous round, sorted by element, sequence and position.
std::vector<Sample> sorted_samples(const SplitSearch& search, std::size_t column,
                                   const CheckedAllgather& allgather, const RangeParts& parts,
                                   SortKernel& kernel) {
  std::vector<Sample> samples = search.samples(column);
  // The samples are ordered by sequence and position; a stable sort keeps this order for equal
  // elements.
  std::stable_sort(samples.begin(), samples.end(), [&](const Sample& a, const Sample& b) {
    return kernel.before(allgather.element(parts.unit(a.sequence), a.slot),
                         allgather.element(parts.unit(b.sequence), b.slot));
  });
  return samples;
}

/// Evaluates the samples of the previous round.
void evaluate_samples(SplitSearch& search, const CheckedAllgather& allgather,
                      const RangeParts& parts, SortKernel& kernel) {
  std::vector<std::vector<Sample>> columns(search.columns());
  for (std::size_t column = 0; column < columns.size(); ++column)
    columns[column] = sorted_samples(search, column, allgather, parts, kernel);
  search.narrow(columns);
}

/// Writes the caller's samples.
void write_samples(const SplitSearch& search, const RangeParts& parts, const std::byte* sorted,
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

void find_splits(CheckedAllgather& allgather, const RangeParts& parts, SplitSearch& search,
                 const void* sorted, SortKernel& kernel, exec::FunctionRef<void()> prepare,
                 exec::FunctionRef<void()> finish) {
  bool is_prepared = false;
  bool is_finished = false;
  while (!is_finished) {
    // Each round first evaluates the samples of the round before, so that its all-gather also
    // reports an exception of the comparison.
    allgather.gather([&](void* own) {
      if (is_prepared) {
        evaluate_samples(search, allgather, parts, kernel);
      } else {
        prepare();
        is_prepared = true;
      }
      if (search.done()) {
        finish();
        is_finished = true;
      } else {
        write_samples(search, parts, static_cast<const std::byte*>(sorted), kernel.element_size(),
                      static_cast<std::byte*>(own));
      }
    });
  }
}

}  // namespace dash::internal
