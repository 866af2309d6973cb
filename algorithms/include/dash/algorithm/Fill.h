#pragma once

#include <algorithm>

#include "dash/algorithm/internal/Chunks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

/// Assigns a value to the caller's elements of a global range: all units call it to fill the range.
/// \completion no barrier: others see the elements after the next one
/// \collective no: no unit waits for another  \blocks until the caller's elements are filled
template <internal::GlobalIterator GlobIt>
void fill(GlobIt first, GlobIt last, const typename GlobIt::value_type& value) {
  internal::local_chunks(first, last).run([&value](std::size_t, const auto& part) {
    std::fill(part.begin(), part.end(), value);
  });
}

}  // namespace dash
