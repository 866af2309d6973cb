#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/algorithm/internal/Call.h"
#include "dash/algorithm/internal/Chunks.h"
#include "dash/algorithm/internal/Operand.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Calls body(chunk, part, values) for the parts of the caller's elements of a range: `values` are
/// those of another range at equal positions, in native memory. Where they are elsewhere they are
/// fetched in slabs, and chunks are counted in each slab.
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
    return std::min(begin + slab_length, chunks.size());
  };
  other.prefetch(chunks, 0, end_of_slab(0));
  for (default_index_t begin = 0; begin < chunks.size(); begin += slab_length) {
    const auto end = end_of_slab(begin);
    other.use();
    if (end < chunks.size()) other.prefetch(chunks, end, end_of_slab(end));
    if (!run(begin, end)) return;
  }
}

/// An argument as a tuple: the begin and end of a global range, else itself.
template <class Argument>
auto with_ends(Argument&& argument) {
  if constexpr (GlobalRange<Argument>) {
    return std::tuple(argument.begin(), argument.end());
  } else {
    return std::forward_as_tuple(std::forward<Argument>(argument));
  }
}
/// The same with the begin only.
template <class Argument>
auto with_begin(Argument&& argument) {
  if constexpr (GlobalRange<Argument>) {
    return std::tuple(argument.begin());
  } else {
    return std::forward_as_tuple(std::forward<Argument>(argument));
  }
}

/// f(args...) with both iterators in place of each range.
template <class F, class... Args>
decltype(auto) apply_with_ends(F&& f, Args&&... args) {
  return std::apply(std::forward<F>(f),
                    std::tuple_cat(internal::with_ends(std::forward<Args>(args))...));
}
/// f(args...) with both iterators in place of the first range, which may stand behind a policy, and
/// the begin in place of each other one.
template <class F, class First, class... Args>
decltype(auto) apply_with_begins(F&& f, First&& first, Args&&... args) {
  if constexpr (ExecutionPolicy<First>) {
    return internal::apply_with_begins(
        [&](auto&&... rest) -> decltype(auto) {
          return f(first, std::forward<decltype(rest)>(rest)...);
        },
        std::forward<Args>(args)...);
  } else {
    return std::apply(std::forward<F>(f),
                      std::tuple_cat(internal::with_ends(std::forward<First>(first)),
                                     internal::with_begin(std::forward<Args>(args))...));
  }
}

}  // namespace dash::internal
