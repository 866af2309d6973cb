#pragma once

#include <algorithm>
#include <utility>

#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/call/Chunks.h"
#include "dash/algorithm/internal/call/NodeChunks.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash {

namespace internal {

struct Fill {
  static constexpr auto name = "dash::fill";

  template <ExecutionPolicy Policy, GlobalIterator GlobIt>
  void operator()(const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const typename GlobIt::value_type& value) const {
    local_chunks(first, last).run_parts(policy, part_with(value));
  }
  template <ExecutionPolicy Policy, GlobalIterator GlobIt>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const typename GlobIt::value_type& value) const {
    call.run([&] { run_parts(call, policy, first, last, part_with(value)); });
  }

 private:
  template <class T>
  static auto part_with(const T& value) {
    return [&value](const auto& part) { std::fill(part.begin(), part.end(), value); };
  }
};

}  // namespace internal

/// Assigns a value to the caller's elements of a global range: all units call it to fill the range.
/// \completion no barrier: others see the elements after the next one
/// \collective no: no unit waits for another  \blocks until the caller's elements are filled
template <internal::GlobalIterator GlobIt>
void fill(GlobIt first, GlobIt last, const typename GlobIt::value_type& value) {
  internal::call_locally(internal::Fill{}, first, last, value);
}
/// \overload with a policy, or a range instead of two iterators: fill([policy,] range, value). With
/// par_node it is collective and ends with a barrier.
template <class... Args>
requires internal::OtherForm<Args...>
void fill(Args&&... args) {
  internal::call_locally(internal::Fill{}, std::forward<Args>(args)...);
}
/// The same in all forms, as a task. \returns the future of its end
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> fill_async(Args&&... args) {
  return internal::start_locally(internal::Fill{}, std::forward<Args>(args)...);
}

}  // namespace dash
