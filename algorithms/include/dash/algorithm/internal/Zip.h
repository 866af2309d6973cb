#pragma once

#include <algorithm>
#include <cstddef>

#include "dash/algorithm/internal/Chunks.h"
#include "dash/algorithm/internal/Operand.h"
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
    chunks.run(policy, begin, end, [&](std::size_t chunk, const LocalRun<T>& part) {
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

}  // namespace dash::internal
