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

/// Calls body(chunk, part, values) for the parts of the caller's elements of a range: `values` are
/// those of another range at equal positions, in native memory. Where they are elsewhere they are
/// fetched in slabs of whole chunks, so that these are the same ones, and are counted in each slab.
/// \param go_on  go_on() after each slab: whether the next one is needed
template <ExecutionPolicy Policy, GlobalIterator GlobIt, class T, class OtherIt, class Body,
          class GoOn>
void zip_local(const Policy& policy, const GlobIt& first, const Chunks<T>& chunks,
               const OtherIt& other_first, Body body, GoOn go_on) {
  Operand<OtherIt, GlobIt> other(other_first, first);
  const auto run = [&](default_index_t begin, default_index_t end) {
    chunks.run(policy, begin, end, [&](std::size_t chunk, const LocalBlock<T>& part) {
      body(chunk, part, other.at(part));
    });
    return go_on();
  };
  if (chunks.size() == 0) return;
  if (other.is_direct()) {
    run(0, chunks.size());
    return;
  }
  const auto end_of_slab = [&](default_index_t begin) {
    return std::min(begin + slab_length<T>, chunks.size());
  };
  other.prefetch(chunks, 0, end_of_slab(0));
  for (default_index_t begin = 0; begin < chunks.size(); begin += slab_length<T>) {
    const auto end = end_of_slab(begin);
    other.use();
    if (end < chunks.size()) other.prefetch(chunks, end, end_of_slab(end));
    if (!run(begin, end)) return;
  }
}

/// The results of the caller's chunks, in order, where the counterparts of the elements have to be
/// fetched: in slabs of whole chunks, one while another is used.
/// \param step  step(std::optional<R>&, LocalBlock): adds a part, of which `other` has the counterparts
/// \param use   use(const R&), for each result in order
template <class R, ExecutionPolicy Policy, class T, class OtherIt, class GlobIt, class Step,
          class Use>
void zip_chunk_results(const Policy& policy, const ResultChunks<T>& chunks,
                       Operand<OtherIt, GlobIt>& other, Step step, Use use) {
  const auto slab =
      std::max<std::size_t>(static_cast<std::size_t>(slab_length<T>) / chunks.length(), 1);
  const auto prefetch = [&](std::size_t begin) {
    if (begin >= chunks.count()) return;
    other.prefetch(chunks.parts(), static_cast<default_index_t>(begin * chunks.length()),
                   std::min(static_cast<default_index_t>((begin + slab) * chunks.length()),
                            chunks.parts().size()));
  };
  std::vector<std::optional<R>> results(std::min(slab, chunks.count()));
  prefetch(0);
  for (std::size_t first = 0; first < chunks.count(); first += slab) {
    other.use();
    prefetch(first + slab);
    const std::size_t number = std::min(slab, chunks.count() - first);
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
