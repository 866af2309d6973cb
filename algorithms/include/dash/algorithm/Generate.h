#pragma once

#include <algorithm>

#include "dash/algorithm/internal/Chunks.h"
#include "dash/internal/LocalRuns.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

/// Assigns the results of generator() to the caller's elements of a global range, in order and on
/// the calling thread: a generator without arguments has a state.
/// \completion no barrier: others see the elements after the next one
/// \collective no: no unit waits for another  \blocks until the caller's elements are assigned
template <internal::GlobalIterator GlobIt, class UnaryFunction>
void generate(GlobIt first, GlobIt last, UnaryFunction generator) {
  for (const auto& run : internal::local_runs(first, last)) {
    for (auto& element : run)
      element = generator();
  }
}

/// Assigns generator(global index) to the caller's elements of a global range.
/// The generator is called concurrently where the unit has several processors.
/// \completion no barrier: others see the elements after the next one
/// \collective no: no unit waits for another  \blocks until the caller's elements are assigned
template <internal::GlobalIterator GlobIt, class UnaryFunction>
void generate_with_index(GlobIt first, GlobIt last, UnaryFunction generator) {
  internal::local_chunks(first, last).run([&](std::size_t, const auto& part) {
    internal::for_each_position_run(first, part, [&](auto* begin, auto length, auto position) {
      auto index = (first + position).gpos();
      for (auto* element = begin; element != begin + length; ++element) {
        *element = generator(index++);
      }
    });
  });
}

}  // namespace dash
