#pragma once

#include "dash/async/State.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// Records, for its lifetime, that the caller computes the result of a state. A wait inside of the scope for
/// that state, or for one that depends on it, would never return and is reported as an error.
///
/// A suspended job keeps its scopes.
/// \pre destroyed in the reverse order of construction, by the same thread or job
class DASH_API ComputationScope {
 public:
  explicit ComputationScope(State& result) noexcept;
  ~ComputationScope();
  ComputationScope(const ComputationScope&) = delete;
  ComputationScope& operator=(const ComputationScope&) = delete;

  /// \throws exception::RuntimeError if the state cannot be done before a computation of the caller
  /// \cost one load outside of such scopes, else a bounded search of the states that depend on the results
  static void check_may_wait_for(State& state);

  /// Whether scopes are nested too deeply to run further code on this stack.
  static bool nested_deeply() noexcept;

  /// Exchanges the innermost scope of the calling thread, when it switches to or from a job.
  static ComputationScope* exchange(ComputationScope* other) noexcept;

 private:
  static bool blocks(State& result, State& state) noexcept;

  State* _result;
  ComputationScope* _outer;
};

}  // namespace dash::exec
