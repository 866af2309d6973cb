#include "dash/WaitAny.h"

#include <algorithm>
#include <exception>

#include "base/ProgressService.h"
#include "dash/Exception.h"
#include "dash/async/ComputationScope.h"
#include "dash/async/Group.h"
#include "dash/async/Watch.h"

namespace dash::exec {

namespace {

/// Throws if none of the states can be done before a computation of the caller.
void check_may_wait_for_any(const std::vector<State*>& states) {
  std::exception_ptr error;
  for (State* const state : states) {
    try {
      return ComputationScope::check_may_wait_for(*state);
    } catch (const exception::RuntimeError&) {
      error = std::current_exception();
    }
  }
  std::rethrow_exception(error);
}

}  // namespace

void wait_for_any(const std::vector<State*>& states) {
  check_may_wait_for_any(states);
  const Purpose purpose("one of {} futures", states.size());
  const bool are_lazy =
      std::any_of(states.begin(), states.end(), [](State* state) { return state->needs_waiter(); });
  if (!are_lazy) {
    progress_service().wait_until(
        [&] {
          return std::any_of(states.begin(), states.end(),
                             [](const State* state) { return state->done(); });
        },
        no_deadline);
    return;
  }
  while (!std::any_of(states.begin(), states.end(), [](State* state) { return state->test(); }))
    wait_between_tests();
}

}  // namespace dash::exec
