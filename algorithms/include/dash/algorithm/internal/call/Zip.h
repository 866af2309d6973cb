#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/algorithm/internal/call/Operand.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Calls body(chunk, part, values) for the parts of the caller's elements of a range. `values` are
/// the elements of another range at the same positions, in native memory. If they are not local,
/// they are fetched in batches of whole chunks; the chunk index then starts at 0 in each batch.
/// \param should_continue  called after each batch; returns whether the next batch is needed
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class T, class OtherIt, class Body,
          class Continue>
void zip_local(const Policy& policy, const GlobIt& first, const Chunks<T>& chunks,
               const OtherIt& other_first, Body body, Continue should_continue) {
  Operand<OtherIt, GlobIt> other(other_first, first);
  const auto run = [&](default_index_t begin, default_index_t end) {
    chunks.run(policy, begin, end, [&](std::size_t chunk, const LocalBlock<T>& part) {
      body(chunk, part, other.at(part));
    });
    return should_continue();
  };
  if (chunks.size() == 0) return;
  if (other.is_direct()) {
    run(0, chunks.size());
    return;
  }
  const auto end_of_batch = [&](default_index_t begin) {
    return std::min(begin + batch_length<T>, chunks.size());
  };
  other.prefetch(chunks, 0, end_of_batch(0));
  for (default_index_t begin = 0; begin < chunks.size(); begin += batch_length<T>) {
    const auto end = end_of_batch(begin);
    other.use();
    if (end < chunks.size()) other.prefetch(chunks, end, end_of_batch(end));
    if (!run(begin, end)) return;
  }
}

/// Computes the results of the caller's chunks, in order, if the counterparts of the elements have
/// to be fetched. They are fetched in batches of whole chunks; the next batch is fetched while the
/// current one is used.
/// \param step  step(std::optional<R>&, LocalBlock) adds a part, whose counterparts `others` provides
/// \param use  called as use(const R&) for each result, in order
template <class R, ExecutionPolicy Policy, class T, class GlobIt, class... OtherIts, class Step,
          class Use>
void zip_chunk_results(const Policy& policy, const ResultChunks<T>& chunks,
                       Operands<GlobIt, OtherIts...>& others, Step step, Use use) {
  const auto batch =
      std::max<std::size_t>(static_cast<std::size_t>(batch_length<T>) / chunks.length(), 1);
  const auto prefetch = [&](std::size_t begin) {
    if (begin >= chunks.count()) return;
    others.prefetch(chunks.parts(), static_cast<default_index_t>(begin * chunks.length()),
                    std::min(static_cast<default_index_t>((begin + batch) * chunks.length()),
                             chunks.parts().size()));
  };
  std::vector<std::optional<R>> results(std::min(batch, chunks.count()));
  prefetch(0);
  for (std::size_t first = 0; first < chunks.count(); first += batch) {
    others.use();
    prefetch(first + batch);
    const std::size_t number = std::min(batch, chunks.count() - first);
    run_ranges(policy, number, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        chunks.for_each_part_of(first + i, [&](const auto& part) { step(results[i], part); });
    });
    for (std::size_t i = 0; i < number; ++i) {
      use(*results[i]);
      results[i].reset();
    }
  }
}

}  // namespace dash::internal
