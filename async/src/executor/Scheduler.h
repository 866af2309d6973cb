#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "base/ProgressService.h"
#include "dash/async/Executor.h"
#include "dash/async/FunctionRef.h"
#include "dash/async/PollSource.h"
#include "dash/async/State.h"
#include "dash/core/Futex.h"
#include "dash/core/Spin.h"
#include "executor/Fiber.h"

namespace dash::exec {

/// Jobs that have not begun: by priority, first in, first out within a priority.
class JobQueue {
 public:
  bool empty() const noexcept { return _size.load(std::memory_order_seq_cst) == 0; }
  void push(Job& job) noexcept;
  Job* pop() noexcept;

 private:
  struct List {
    Job* first = nullptr;
    Job* last = nullptr;
  };
  core::SpinLock _lock;  // guards the lists
  std::array<List, 3> _lists;
  // Changed under the lock. Sequentially consistent: a thread that adds a job increments it, then looks for sleeping and
  // serving threads; these register or leave, then load it. A thread that reads an old value after a decrement, which
  // is relaxed, finds the lists empty under the lock.
  std::atomic<std::size_t> _size{0};
};

/// Runs jobs on fibers, on workers and on waiting threads, and suspends jobs that wait.
///
/// A thread that makes a job runnable changes the lists, then wakes sleeping threads and, if fewer than all
/// workers serve, enqueues another one. A worker that stops serving, and a thread that goes to sleep,
/// registers first and then checks the lists again. All these accesses are sequentially consistent, so at
/// least one of the two threads sees the other's change.
class Scheduler final : public PollSource {
 public:
  /// Jobs that a thread runs between two polls.
  static constexpr int jobs_between_polls = 8;

  /// \param service  the engine, which owns the scheduler
  explicit Scheduler(ProgressService& service) noexcept : _service(service) {}

  /// The scheduler of the engine, which defines this function.
  static Scheduler& instance() noexcept;

  void announce() noexcept { _unfinished.fetch_add(1, std::memory_order_relaxed); }
  void submit(Job& job) noexcept;

  /// Finds a thread for a job or continuation that has just become runnable: wakes sleeping threads, and
  /// enqueues a worker if one is idle.
  void request_thread() noexcept;

  /// Whether a job can run now.
  bool has_work() const noexcept {
    return _nrunnable.load(std::memory_order_seq_cst) != 0 || !_jobs.empty();
  }
  std::size_t unfinished() const noexcept { return _unfinished.load(std::memory_order_acquire); }
  std::size_t waiting() const noexcept { return _waiting.load(std::memory_order_relaxed); }

  /// Runs at most `max_jobs` jobs, until `done` returns true. \returns whether any ran
  /// \pre the caller is a thread on its own stack
  bool run_some(int max_jobs, FunctionRef<bool()> done) noexcept;

  /// If the caller is a job: suspends it until `done()` is true; its thread runs other jobs.
  /// \returns false if the caller cannot be suspended and has to wait as a thread does
  /// @{
  /// \param word  a word that changes when `done` becomes true, for which the caller is registered as a
  ///              sleeper; threads that sleep in the meantime also sleep on it. Null if there is none
  bool suspend_until(FunctionRef<bool()> done,
                     const std::atomic<std::uint32_t>* word = nullptr) noexcept;
  bool suspend_until(State& state) noexcept;
  /// @}
  /// If the caller is a job: lets ready jobs run first. \returns whether it is a job
  bool yield() noexcept;

  /// The words on which suspended jobs wait.
  Words wait_words(std::span<core::FutexWord> words, bool by_thread) noexcept override;
  bool has_wait_words() const noexcept override {
    return _nconditions.load(std::memory_order_seq_cst) != 0;
  }

  /// Sets the number of threads that run jobs, including one waiting thread.
  void set_workers(int workers) noexcept { _workers.store(workers, std::memory_order_seq_cst); }
  /// Relaxed: publishes no data. dismiss_workers() may change it while workers run jobs, so serve() uses is_dismissed().
  int workers() const noexcept { return _workers.load(std::memory_order_relaxed); }
  /// Makes all workers leave serve(), and waits until they have.
  void dismiss_workers() noexcept;
  /// Loop of a worker: runs jobs as long as there are any.
  void serve() noexcept;

  // As a poll source, it checks the conditions of suspended jobs.
  bool poll() noexcept override;
  /// Without workers, a job continues only when a caller waits, and that caller checks its condition.
  bool thread_may_poll() const noexcept override { return workers() > 1; }
  Demand demand() const noexcept override {
    return _nconditions.load(std::memory_order_seq_cst) == 0 ? Demand::none : Demand::waiting;
  }

 private:
  struct Condition {
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
  bool should_run_yielded() noexcept;
  Fiber* acquire_fiber() noexcept;
  void release_fiber(Fiber* fiber) noexcept;

  ProgressService& _service;
  JobQueue _jobs;

  core::SpinLock _runnable_lock;  // guards the two lists
  FiberList _ready;               // their waits have ended: run before jobs that have not begun
  FiberList _yielded;             // they have yielded: run after those
  // Fibers in both lists; the orders are those of JobQueue::_size.
  std::atomic<std::size_t> _nrunnable{0};
  std::atomic<unsigned> _picks{0};  // inexact, see should_run_yielded()

  core::SpinLock _conditions_lock;  // guards _conditions; held while they are evaluated
  std::vector<Condition> _conditions;
  // Size of _conditions, changed under the lock. poll() reads it relaxed to skip an empty list: a condition that it misses
  // is evaluated by the next poll. A thread that stops serving wakes the progress thread if it reads a larger value
  // than 0; it has read at least the conditions that it added itself. Sequentially consistent for wake_idle_thread().
  std::atomic<std::size_t> _nconditions{0};

  core::SpinLock _spare_lock;  // guards _spare
  std::vector<Fiber*> _spare;  // fibers without a job

  // Release at the end of each job, acquire by the reader: a thread that reads 0 sees what all jobs have written.
  std::atomic<std::size_t> _unfinished{0};
  // Suspended jobs. Relaxed: a thread that has suspended a job checks the queue of continuations, under its lock, before
  // it stops polling; a thread that adds a continuation does so under the same lock, then loads the count.
  std::atomic<std::size_t> _waiting{0};
  // Sequentially consistent: dismiss_workers() stores _workers, then reads _serving; a thread that stops serving
  // decrements _serving, then reads _workers. So the first sees no thread, or the thread notifies it.
  std::atomic<int> _workers{1};
  std::atomic<int> _serving{0};
};

}  // namespace dash::exec
