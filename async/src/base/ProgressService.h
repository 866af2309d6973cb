#pragma once

#include <cstdint>
#include <limits>

#include "dash/async/FunctionRef.h"

namespace dash::exec {

class Continuation;
class State;

/// Deadline of a wait that has none.
inline constexpr std::uint64_t no_deadline = std::numeric_limits<std::uint64_t>::max();

/// What the subsystems below the engine need of it: they notify it and wait through it. The engine
/// implements the interface, so that states and the scheduler do not depend on it.
class ProgressService {
 public:
  /// Wakes the threads of this process that sleep in wait_until(), since a condition may have changed.
  /// \threads thread-safe   \blocks never   \cost one atomic instruction if no thread sleeps
  virtual void notify_completion() noexcept = 0;
  /// The same if nothing has changed but a state, by a sequentially consistent operation, and the queue
  /// of continuations. \cost one load if no thread sleeps
  virtual void notify_state_closed() noexcept = 0;
  /// Wakes the threads of this process that wait for another unit, since they have to run a job.
  /// \cost as notify_completion()
  virtual void notify_job() noexcept = 0;
  /// Enqueues a continuation of the application that may run now.
  virtual void post(Continuation& continuation) noexcept = 0;
  virtual bool has_continuations() const noexcept = 0;

  /// Returns when the state is done. Suspends the caller if it is a job.
  /// \throws exception::RuntimeError on the progress thread
  virtual void wait_for(State& state) = 0;
  /// See Engine::wait_until(). \returns whether `done()` is true
  virtual bool wait_until(FunctionRef<bool()> done, std::uint64_t deadline_ns) = 0;
  /// See Engine::progress().
  virtual bool progress() noexcept = 0;

  /// For workers of the executor.
  /// @{
  /// Polls and runs continuations, but no jobs. \returns whether anything advanced
  virtual bool progress_without_jobs() noexcept = 0;
  /// Whether an operation needs polling that the progress thread does not do.
  virtual bool callers_must_poll() const noexcept = 0;
  /// Sleeps for some microseconds, or until something completes.
  virtual void sleep_briefly() noexcept = 0;
  /// Wakes the progress thread or, if there is none, the callers that poll in its place.
  virtual void notify_thread() noexcept = 0;
  /// The caller stops checking the conditions of suspended jobs for an unknown time: wakes the progress thread if it
  /// sleeps without a timeout or, without a thread, the callers. \cost a load if there is a thread that is awake
  virtual void wake_idle_thread() noexcept = 0;
  /// The caller stops checking the conditions of suspended jobs and running continuations: wakes the threads that do
  /// so, if there are any.
  virtual void leave_suspended_jobs() noexcept = 0;
  /// @}

 protected:
  ~ProgressService() = default;
};

/// The engine of this process, which defines this function.
ProgressService& progress_service() noexcept;

}  // namespace dash::exec
