#pragma once

#include "dash/async/State.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// Says for its lifetime that the caller runs the code whose result goes into a state: who waits for
/// that state in there, or for one that depends on it, would never return.
///
/// A job that is set aside takes what it runs along.
/// \pre destroyed in the reverse order of construction, by the same thread or job
class DASH_API Running {
 public:
  explicit Running(State& result) noexcept;
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// \throws exception::RuntimeError if the state cannot be done before what the caller runs
  /// \cost a look if nothing runs, else a walk over some of what depends on it
  static void check_may_wait_for(State& state);

  /// Whether the caller runs as much code within code as a stack should be asked to bear.
  static bool nested_deeply() noexcept;

  /// Exchanges what the calling thread runs, when it leaves or takes up a job.
  static Running* exchange(Running* other) noexcept;

 private:
  static bool blocks(State& result, State& state) noexcept;

  State* _result;
  Running* _outer;
};

}  // namespace dash::exec
