#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "dash/async/Executor.h"
#include "dash/async/FunctionRef.h"
#include "dash/async/Running.h"
#include "dash/async/Watch.h"

namespace dash::exec {

/// A stack on which jobs run, one after the other, and which can be left in the middle of one.
///
/// A thread resumes it and is back when the job has finished or suspends itself; another thread may
/// resume it later. Exceptions that are being handled go with the stack.
/// \threads one at a time; a hand-over from thread to thread is synchronised by who does it
class Fiber {
 public:
  /// \returns null if there is no memory for a stack
  static Fiber* create() noexcept;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  /// \pre the job has finished
  ~Fiber();

  /// The fiber that the caller runs on, or null.
  static Fiber* current() noexcept;

  /// What to run at the next resume. \pre the last one has finished
  void set_job(Job& job) noexcept { _job = &job; }

  /// Runs the job until it finishes or suspends itself.
  /// \returns whether it has finished. If not, the caller has to call park()
  /// \pre the caller is a thread on its own stack
  bool resume() noexcept;

  /// Lets the job wait: called after it was left.
  /// \returns false if there is nothing to wait for any more. If true, the fiber may be gone.
  bool park() noexcept { return (*_park)(); }

  /// Whether the caller may be suspended: not if code of another scheduler, which knows nothing of
  /// fibers, is below it on this stack (a loop of oneTBB, a parallel region of OpenMP).
  /// \pre the caller runs on this fiber
  bool may_suspend() const noexcept;

  /// Leaves the stack; `park` is called when it has been left. Returns when it is resumed.
  /// \param waits  for something, rather than letting others go first
  /// \pre the caller runs on this fiber
  void suspend(FunctionRef<bool()> park, bool waits = true) noexcept;

 private:
  friend class FiberList;
  struct Machine;

  Fiber() noexcept;
  void run_jobs() noexcept;

  std::unique_ptr<Machine> _machine;
  Job* _job = nullptr;
  std::optional<FunctionRef<bool()>> _park;
  // What the job runs and does, while it is set aside.
  Running* _running = nullptr;
  Activity* _activity = nullptr;
  bool _ending = false;
  Fiber* _next = nullptr;
};

/// Fibers, first in first out.
class FiberList {
 public:
  bool empty() const noexcept { return _first == nullptr; }
  void push(Fiber& fiber) noexcept {
    fiber._next = nullptr;
    (_last == nullptr ? _first : _last->_next) = &fiber;
    _last = &fiber;
  }
  Fiber* pop() noexcept {
    Fiber* const first = _first;
    if (first == nullptr) return nullptr;
    _first = first->_next;
    if (_first == nullptr) _last = nullptr;
    return first;
  }

 private:
  Fiber* _first = nullptr;
  Fiber* _last = nullptr;
};

}  // namespace dash::exec
