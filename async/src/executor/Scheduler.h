#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "executor/Fiber.h"
#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Futex.h"
#include "dash/core/Spin.h"

namespace dash::exec {

/// Jobs that have not begun, the highest priority first, first in first out within one.
class JobQueue {
 public:
  bool empty() const noexcept { return _size.load(std::memory_order_seq_cst) == 0; }
  void push(Job& job) noexcept;
  Job* pop() noexcept;

 private:
  struct Lane {
    Job* first = nullptr;
    Job* last = nullptr;
  };
  core::SpinLock _lock;  // guards the lanes
  std::array<Lane, 3> _lanes;
  std::atomic<std::size_t> _size{0};
};

/// Runs jobs on fibers, on whichever threads come by, and sets aside those that wait.
///
/// Whoever makes something runnable changes the lists, then looks for somebody to run it: a worker
/// that is not here, a thread that sleeps. Whoever goes away or to sleep says so, then looks at the
/// lists again. All of it sequentially consistent, so one sees the other.
class Scheduler final : public PollSource {
 public:
  static Scheduler& instance() noexcept;

  void expect() noexcept { _unfinished.fetch_add(1, std::memory_order_relaxed); }
  void submit(Job& job) noexcept;

  /// Finds somebody for what has just become runnable.
  void attract() noexcept;

  /// Something could run now.
  bool has_work() const noexcept {
    return _nrunnable.load(std::memory_order_seq_cst) != 0 || !_jobs.empty();
  }
  std::size_t unfinished() const noexcept { return _unfinished.load(std::memory_order_acquire); }
  std::size_t waiting() const noexcept { return _waiting.load(std::memory_order_relaxed); }

  /// Runs at most so many pieces of work, until `enough`. \returns whether any was run
  /// \pre the caller is a thread on its own stack
  bool run_some(int most, FunctionRef<bool()> enough) noexcept;

  /// If the caller is a job: waits until `done()`, while its thread runs others.
  /// \returns false if the caller may not be suspended, and has to wait as a thread does
  /// @{
  /// \param word  what changes when `done` becomes true, if the caller is among its sleepers: then
  ///              threads that sleep meanwhile sleep on it, too
  bool suspend_until(FunctionRef<bool()> done,
                     const std::atomic<std::uint32_t>* word = nullptr) noexcept;
  bool suspend_until(State& state) noexcept;
  /// @}
  /// If the caller is a job: lets what is ready run first. \returns whether it is one
  bool yield() noexcept;

  /// For the sake of jobs that wait.
  Words words_to_sleep_on(std::span<core::FutexWord> words) noexcept override;
  bool watches() const noexcept override { return _nwatched.load(std::memory_order_seq_cst) != 0; }

  /// Who runs jobs besides threads that wait.
  void set_workers(int workers) noexcept { _workers.store(workers, std::memory_order_seq_cst); }
  int workers() const noexcept { return _workers.load(std::memory_order_relaxed); }
  /// Returns when no worker is here any more.
  void dismiss_workers() noexcept;
  /// What a worker does: runs jobs for as long as there are any.
  void serve() noexcept;

  // As a source, it looks whether what jobs wait for has come.
  bool poll() noexcept override;
  Demand demand() const noexcept override {
    return _nwatched.load(std::memory_order_relaxed) == 0 ? Demand::none : Demand::waiting;
  }

 private:
  struct Watched {
    Fiber* fiber;
    FunctionRef<bool()> done;
    const std::atomic<std::uint32_t>* word;
  };

  bool is_dismissed() const noexcept { return _workers.load(std::memory_order_seq_cst) == 1; }
  Fiber* next_to_run(Fiber*& idle) noexcept;
  void run(Fiber& fiber, Fiber*& idle) noexcept;
  void make_ready(Fiber& fiber) noexcept { push_runnable(_ready, fiber); }
  void push_runnable(FiberList& list, Fiber& fiber) noexcept;
  Fiber* pop_runnable(FiberList& list) noexcept;
  bool yielded_turn() noexcept;
  Fiber* take_fiber() noexcept;
  void give_back(Fiber* fiber) noexcept;

  JobQueue _jobs;

  core::SpinLock _runnable_lock;  // guards the two lists
  FiberList _ready;               // what they waited for has come: before jobs that have not begun
  FiberList _yielded;             // they let others go first: after those
  std::atomic<std::size_t> _nrunnable{0};
  std::atomic<unsigned> _picks{0};

  core::SpinLock _watch_lock;  // guards _watched; held while their conditions are looked at
  std::vector<Watched> _watched;
  std::atomic<std::size_t> _nwatched{0};

  core::SpinLock _spare_lock;  // guards _spare
  std::vector<Fiber*> _spare;

  std::atomic<std::size_t> _unfinished{0};
  std::atomic<std::size_t> _waiting{0};
  std::atomic<int> _workers{1};
  std::atomic<int> _serving{0};
};

}  // namespace dash::exec
