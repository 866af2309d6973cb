#include "executor/Scheduler.h"

#include <optional>
#include <utility>

#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/Log.h"
#include "dash/core/Statistics.h"
#include "executor/Arena.h"

namespace dash::exec {

namespace {

/// Idle fibers that are kept for reuse. Each occupies at least a few pages.
constexpr std::size_t max_spare = 256;
/// How long a worker without work spins before it stops serving; waking one takes 7 to 30 us.
constexpr std::uint64_t worker_spin_ns = 20'000;
/// One in this number of choices prefers a job that has yielded to jobs that have not begun.
constexpr unsigned yielded_interval = 16;

/// Not an error: jobs that finish release their stacks for the others.
void warn_of_missing_stacks() noexcept {
  static std::atomic<bool> warned{false};
  if (warned.exchange(true)) return;
  core::log(core::LogLevel::warn, "no memory for the stacks of more tasks: they start later");
}

}  // namespace

void JobQueue::push(Job& job) noexcept {
  std::lock_guard lock(_lock);
  List& list = _lists[static_cast<std::size_t>(job.priority())];
  job._next = nullptr;
  (list.last == nullptr ? list.first : list.last->_next) = &job;
  list.last = &job;
  _size.fetch_add(1, std::memory_order_seq_cst);
}

Job* JobQueue::pop() noexcept {
  if (empty()) return nullptr;
  std::lock_guard lock(_lock);
  for (std::size_t i = _lists.size(); i-- > 0;) {
    List& list = _lists[i];
    Job* const first = list.first;
    if (first == nullptr) continue;
    list.first = first->_next;
    if (list.first == nullptr) list.last = nullptr;
    _size.fetch_sub(1, std::memory_order_relaxed);
    return first;
  }
  return nullptr;
}

void Scheduler::submit(Job& job) noexcept {
  _jobs.push(job);
  request_thread();
  if (workers() == 1) _service.notify_job();  // no worker runs it
}

void Scheduler::request_thread() noexcept {
  _service.notify_completion();
  int serving = _serving.load(std::memory_order_seq_cst);
  while (serving < workers() - 1) {
    if (_serving.compare_exchange_weak(serving, serving + 1, std::memory_order_seq_cst)) {
      arena_enqueue_serve(*this);
      return;
    }
  }
}

void Scheduler::push_runnable(FiberList& list, Fiber& fiber) noexcept {
  {
    std::lock_guard lock(_runnable_lock);
    list.push(fiber);
    _nrunnable.fetch_add(1, std::memory_order_seq_cst);
  }
  request_thread();
}

Fiber* Scheduler::pop_runnable(FiberList& list) noexcept {
  if (_nrunnable.load(std::memory_order_seq_cst) == 0) return nullptr;
  std::lock_guard lock(_runnable_lock);
  Fiber* const fiber = list.pop();
  if (fiber != nullptr) _nrunnable.fetch_sub(1, std::memory_order_relaxed);
  return fiber;
}

/// Whether to prefer a job that has yielded this time, so that it does not starve. Inexact if several threads
/// count at the same time.
bool Scheduler::should_run_yielded() noexcept {
  const unsigned picks = _picks.load(std::memory_order_relaxed) + 1;
  _picks.store(picks, std::memory_order_relaxed);
  return picks % yielded_interval == 0;
}

Fiber* Scheduler::acquire_fiber() noexcept {
  {
    std::lock_guard lock(_spare_lock);
    if (!_spare.empty()) {
      Fiber* const fiber = _spare.back();
      _spare.pop_back();
      return fiber;
    }
  }
  return Fiber::create();
}

void Scheduler::release_fiber(Fiber* fiber) noexcept {
  {
    std::lock_guard lock(_spare_lock);
    if (_spare.size() < max_spare) {
      if (_spare.capacity() == 0) _spare.reserve(max_spare);
      _spare.push_back(fiber);
      return;
    }
  }
  delete fiber;
}

bool Scheduler::run_some(int max_jobs, FunctionRef<bool()> done) noexcept {
  Fiber* idle = nullptr;  // kept for the next job
  int ran = 0;
  while (ran < max_jobs) {
    Fiber* const fiber = next_to_run(idle);
    if (fiber == nullptr) break;
    run(*fiber, idle);
    ++ran;
    if (done()) break;
  }
  if (idle != nullptr) release_fiber(idle);
  return ran != 0;
}

Fiber* Scheduler::next_to_run(Fiber*& idle) noexcept {
  if (Fiber* const fiber = pop_runnable(_ready)) return fiber;
  if (should_run_yielded()) {
    if (Fiber* const fiber = pop_runnable(_yielded)) return fiber;
  }
  if (!_jobs.empty()) {
    if (idle == nullptr) idle = acquire_fiber();
    if (idle == nullptr) warn_of_missing_stacks();
    if (Job* const job = idle == nullptr ? nullptr : _jobs.pop()) {
      idle->set_job(*job);
      return std::exchange(idle, nullptr);
    }
  }
  return pop_runnable(_yielded);
}

void Scheduler::run(Fiber& fiber, Fiber*& idle) noexcept {
  // This thread does not check the conditions of other jobs until the job ends or waits.
  if (workers() > 1 && has_wait_words()) _service.wake_idle_thread();
  while (!fiber.resume()) {
    // Before park(), since the thread that resumes the job decrements the count.
    _waiting.fetch_add(1, std::memory_order_relaxed);
    if (fiber.park()) return;
    _waiting.fetch_sub(1, std::memory_order_relaxed);
  }
  if (idle == nullptr) {
    idle = &fiber;
  } else {
    release_fiber(&fiber);
  }
  if (_unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1) _service.notify_completion();
}

bool Scheduler::suspend_until(FunctionRef<bool()> done,
                              const std::atomic<std::uint32_t>* word) noexcept {
  Fiber* const fiber = Fiber::current();
  if (fiber == nullptr || !fiber->may_suspend()) return false;
  core::count(core::Counter::waits_suspended);
  std::optional<WatchedWait> watched;
  if (watchdog_enabled()) watched.emplace(core::now_ns(), true);
  fiber->suspend([this, fiber, done, word] {
    std::lock_guard lock(_conditions_lock);
    if (done()) return false;
    _conditions.push_back({fiber, done, word});
    _nconditions.fetch_add(1, std::memory_order_seq_cst);
    // The thread that runs this evaluates the condition while it polls; when it stops polling or runs
    // another job, the progress thread does or, without workers, other callers that wait.
    return true;
  });
  return true;
}

bool Scheduler::suspend_until(State& state) noexcept {
  Fiber* const fiber = Fiber::current();
  if (fiber == nullptr || !fiber->may_suspend()) return false;
  core::count(core::Counter::waits_suspended);
  std::optional<WatchedWait> watched;
  if (watchdog_enabled()) watched.emplace(core::now_ns(), true);
  struct Wake final : Continuation {
    Wake(Scheduler& scheduler, Fiber& fiber) noexcept
        : Continuation(Where::inline_wake), _scheduler(scheduler), _fiber(fiber) {}
    void run() noexcept override {
      _scheduler._waiting.fetch_sub(1, std::memory_order_relaxed);
      _scheduler.make_ready(_fiber);
    }

   private:
    Scheduler& _scheduler;
    Fiber& _fiber;
  };
  Wake wake(*this, *fiber);
  fiber->suspend([&state, &wake] { return state.attach(wake); });
  return true;
}

bool Scheduler::yield() noexcept {
  Fiber* const fiber = Fiber::current();
  if (fiber == nullptr) return false;
  if (!fiber->may_suspend()) return true;
  fiber->suspend(
      [this, fiber] {
        _waiting.fetch_sub(1, std::memory_order_relaxed);
        push_runnable(_yielded, *fiber);
        return true;
      },
      false);
  return true;
}

bool Scheduler::poll() noexcept {
  if (_nconditions.load(std::memory_order_relaxed) == 0 || !_conditions_lock.try_lock())
    return false;
  FiberList resumable;
  std::size_t nresumable = 0;
  {
    std::lock_guard lock(_conditions_lock, std::adopt_lock);
    for (std::size_t i = 0; i < _conditions.size();) {
      if (!_conditions[i].done()) {
        ++i;
        continue;
      }
      resumable.push(*_conditions[i].fiber);
      ++nresumable;
      _conditions[i] = _conditions.back();
      _conditions.pop_back();
    }
    _nconditions.fetch_sub(nresumable, std::memory_order_relaxed);
  }
  _waiting.fetch_sub(nresumable, std::memory_order_relaxed);
  while (Fiber* const fiber = resumable.pop())
    make_ready(*fiber);
  return nresumable != 0;
}

/// A change of a word after it has been read here is not missed: either the kernel sees the new value and
/// does not let the thread sleep, or the waker sees that the job is registered as a sleeper.
Scheduler::Words Scheduler::wait_words(std::span<core::FutexWord> words,
                                       bool /*by_thread*/) noexcept {
  Words result;
  std::lock_guard lock(_conditions_lock);
  for (const Condition& condition : _conditions) {
    // A condition without a word becomes true with a completion, which wakes the thread, or at its deadline, which only
    // a poll notices.
    if (condition.word == nullptr) continue;
    const std::uint32_t value = condition.word->load(std::memory_order_seq_cst);
    if (condition.done()) {
      result.found = true;
      break;
    }
    if (result.count == words.size()) {
      result.complete = false;
      break;
    }
    words[result.count++] = {condition.word, value, true};
  }
  return result;
}

void Scheduler::serve() noexcept {
  std::uint64_t idle_since = 0;
  while (true) {
    const bool ran = run_some(jobs_between_polls, [] { return false; });
    if (_service.progress_without_jobs() || ran) {
      idle_since = 0;
      continue;
    }
    const bool dismissed = is_dismissed();
    // A suspended job needs progress like a waiting caller: if no other thread polls for it, this one does.
    if (!dismissed && waiting() != 0 && _service.callers_must_poll()) {
      _service.sleep_briefly();
      continue;
    }
    const std::uint64_t now = core::now_ns();
    if (idle_since == 0) idle_since = now;
    if (!dismissed && now - idle_since < worker_spin_ns) {
      core::cpu_relax();
      continue;
    }
    _serving.fetch_sub(1, std::memory_order_seq_cst);
    // Checked again: a thread that has called dismiss_workers() in the meantime waits for this.
    if (is_dismissed()) return _service.notify_completion();
    if (has_wait_words()) _service.notify_thread();
    if (!has_work() && !_service.has_continuations()) return;
    int serving = _serving.load(std::memory_order_seq_cst);
    do {
      if (serving >= workers() - 1) return;
    } while (!_serving.compare_exchange_weak(serving, serving + 1, std::memory_order_seq_cst));
  }
}

void Scheduler::dismiss_workers() noexcept {
  set_workers(1);
  _service.wait_until([this] { return _serving.load(std::memory_order_seq_cst) == 0; },
                      no_deadline);
}

}  // namespace dash::exec
