#pragma once

#include <algorithm>
#include <utility>

#include "dash/algorithm/internal/call/CallForms.h"
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
    local_chunks(first, last).run_parts(policy, make_body(value));
  }
  template <ExecutionPolicy Policy, GlobalIterator GlobIt>
  void operator()(Call& call, const Policy& policy, const GlobIt& first, const GlobIt& last,
                  const typename GlobIt::value_type& value) const {
    call.run([&] { run_parts(call, policy, first, last, make_body(value)); });
  }

 private:
  template <class T>
  static auto make_body(const T& value) {
    return [&value](const auto& part) { std::fill(part.begin(), part.end(), value); };
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Assigns a value to the caller's elements of a global range. All units must call it to fill the
/// whole range.
/// \completion the caller's elements are written; other units see them after the next barrier
/// \collective no  \blocks until the caller's elements are filled
template <internal::GlobalIterator GlobIt>
void fill(GlobIt first, GlobIt last, const typename GlobIt::value_type& value) {
  internal::call_locally(internal::Fill{}, first, last, value);
}
/// \overload
/// With a policy, or a range instead of two iterators: fill([policy,] range, value). With par_node
/// it is collective and ends with a barrier.
template <class... Args>
requires internal::OtherForm<Args...>
void fill(Args&&... args) {
  internal::call_locally(internal::Fill{}, std::forward<Args>(args)...);
}
/// Asynchronous counterpart of all overloads; runs as a task of the unit, which is not ordered with
/// other algorithms unless the policy is par_node. \returns a future that is ready when the call
/// has finished
/// \contract{fill}  \blocks never
template <class... Args>
requires internal::GlobalForm<Args...> Future<void> fill_async(Args&&... args) {
  return internal::start_locally(internal::Fill{}, std::forward<Args>(args)...);
}

/// @}

}  // namespace dash
