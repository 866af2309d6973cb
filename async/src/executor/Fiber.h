#pragma once

#include <memory>
#include <optional>

#include "dash/async/ComputationScope.h"
#include "dash/async/Executor.h"
#include "dash/async/FunctionRef.h"
#include "dash/async/Watch.h"

namespace dash::exec {

/// A stack on which jobs run one after the other, and which a job can leave before it has finished.
///
/// A thread resumes the fiber; the call returns when the job has finished or suspends itself. Another
/// thread may resume it later. Exceptions that the job handles stay with the stack.
/// \threads externally synchronized, including the transfer from thread to thread
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

  /// The tag of the job that runs on the fiber. \pre the caller runs on this fiber
  JobTag& job_tag() noexcept { return _job_tag; }

  /// Sets the job for the next resume(). \pre the last job has finished
  void set_job(Job& job) noexcept {
    _job = &job;
    _job_tag = job.tag();
  }

  /// Runs the job until it finishes or suspends itself.
  /// \returns whether it has finished. If not, the caller has to call park()
  /// \pre the caller is a thread on its own stack
  bool resume() noexcept;

  /// Registers the wait of the suspended job; called after its stack has been left.
  /// \returns false if the job can be resumed immediately. If true, the fiber may have been destroyed
  bool park() noexcept { return (*_park)(); }

  /// Whether the caller can be suspended. It cannot if this stack has frames of another scheduler, which
  /// does not know about fibers (a loop of oneTBB, a parallel region of OpenMP).
  /// \pre the caller runs on this fiber
  bool may_suspend() const noexcept;

  /// Leaves the stack; returns when the fiber is resumed. The thread that resumed it calls `park`.
  /// \param waits  the job waits for a condition, rather than yielding
  /// \pre the caller runs on this fiber
  void suspend(FunctionRef<bool()> park, bool waits = true) noexcept;

 private:
  friend class FiberList;
  struct Context;

  Fiber() noexcept;
  void run_jobs() noexcept;

  std::unique_ptr<Context> _context;
  Job* _job = nullptr;
  JobTag _job_tag = 0;  // a copy, because the job may delete itself before its code has ended
  std::optional<FunctionRef<bool()>> _park;
  // Per-thread state of the job while it is suspended.
  ComputationScope* _computation = nullptr;
  Activity* _activity = nullptr;
  bool _ending = false;
  Fiber* _next = nullptr;
};

/// Fibers, first in, first out.
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
