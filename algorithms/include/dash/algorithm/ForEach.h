#pragma once

#include <algorithm>

#include "dash/algorithm/internal/Chunks.h"
#include "dash/internal/Collective.h"
#include "dash/internal/LocalRuns.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

/// Calls func(T&) for each element of a global range, on the element's owner.
/// The function is called concurrently where the unit has several processors; not in order then.
/// \completion ends with a barrier: all units see what was changed
/// \collective over the range's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if func throws on one
template <internal::GlobalIterator GlobIt, class UnaryFunction>
void for_each(const GlobIt& first, const GlobIt& last, UnaryFunction func) {
  internal::run_collectively(first.team(), "dash::for_each", [&] {
    internal::local_chunks(first, last).run([&func](std::size_t, const auto& part) {
      for (auto& element : part)
        func(element);
    });
  });
}

/// Calls func(T&, global index) for each element of a global range, on the element's owner.
/// The function is called concurrently where the unit has several processors; not in order then.
/// \completion ends with a barrier: all units see what was changed
/// \collective over the range's team  \blocks until all units have done their part
/// \throws exception::RuntimeError on all units if func throws on one
template <internal::GlobalIterator GlobIt, class BinaryFunction>
void for_each_with_index(const GlobIt& first, const GlobIt& last, BinaryFunction func) {
  internal::run_collectively(first.team(), "dash::for_each_with_index", [&] {
    internal::local_chunks(first, last).run([&](std::size_t, const auto& part) {
      internal::for_each_position_run(first, part, [&](auto* begin, auto length, auto position) {
        auto index = (first + position).gpos();
        for (auto* element = begin; element != begin + length; ++element)
          func(*element, index++);
      });
    });
  });
}

}  // namespace dash
