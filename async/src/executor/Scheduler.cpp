#include "executor/Scheduler.h"

#include <optional>

#include "executor/Arena.h"
#include "dash/async/State.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/Log.h"
#include "dash/core/Statistics.h"

namespace dash::exec {

namespace {

/// Stacks kept for later. Each has touched a few pages at least.
constexpr std::size_t max_spare = 256;
/// How long a worker looks for work before it goes: waking one takes 7 to 30 us.
constexpr std::uint64_t worker_spin_ns = 20'000;
/// Pieces of work between two polls of the engine.
constexpr int work_between_polls = 8;
/// So often one that has yielded goes before jobs that have not begun.
constexpr unsigned yielded_every = 16;

/// Not an error: those that wait give their stacks back in time.
void tell_of_no_memory() noexcept {
  static std::atomic<bool> told{false};
  if (told.exchange(true)) return;
  core::log(core::LogLevel::warn, "no memory for the stacks of more tasks: they begin later");
}

}  // namespace

void JobQueue::push(Job& job) noexcept {
  std::lock_guard lock(_lock);
  Lane& lane = _lanes[static_cast<std::size_t>(job.priority())];
  job._next = nullptr;
  (lane.last == nullptr ? lane.first : lane.last->_next) = &job;
  lane.last = &job;
  _size.fetch_add(1, std::memory_order_seq_cst);
}

Job* JobQueue::pop() noexcept {
  if (empty()) return nullptr;
  std::lock_guard lock(_lock);
  for (std::size_t i = _lanes.size(); i-- > 0;) {
    Lane& lane = _lanes[i];
    Job* const first = lane.first;
    if (first == nullptr) continue;
    lane.first = first->_next;
    if (lane.first == nullptr) lane.last = nullptr;
    _size.fetch_sub(1, std::memory_order_relaxed);
    return first;
  }
  return nullptr;
}

Scheduler& Scheduler::instance() noexcept {
  // Never destroyed, as the engine.
  static Scheduler* const scheduler = new Scheduler();
  return *scheduler;
}

void Scheduler::submit(Job& job) noexcept {
  _jobs.push(job);
  attract();
}

void Scheduler::attract() noexcept {
  Engine::instance().completed();
  int serving = _serving.load(std::memory_order_seq_cst);
  while (serving < workers() - 1) {
    if (_serving.compare_exchange_weak(serving, serving + 1, std::memory_order_seq_cst)) {
      arena_enqueue_serve();
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
  attract();
}

Fiber* Scheduler::pop_runnable(FiberList& list) noexcept {
  if (_nrunnable.load(std::memory_order_seq_cst) == 0) return nullptr;
  std::lock_guard lock(_runnable_lock);
  Fiber* const fiber = list.pop();
  if (fiber != nullptr) _nrunnable.fetch_sub(1, std::memory_order_relaxed);
  return fiber;
}

/// Who yields comes last, but not never. Inexact when several count at once.
bool Scheduler::yielded_turn() noexcept {
  const unsigned picks = _picks.load(std::memory_order_relaxed) + 1;
  _picks.store(picks, std::memory_order_relaxed);
  return picks % yielded_every == 0;
}

Fiber* Scheduler::take_fiber() noexcept {
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

void Scheduler::give_back(Fiber* fiber) noexcept {
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

bool Scheduler::run_some(int most, FunctionRef<bool()> enough) noexcept {
  Fiber* idle = nullptr;  // at hand for the next job
  int ran = 0;
  while (ran < most) {
    Fiber* const fiber = next_to_run(idle);
    if (fiber == nullptr) break;
    run(*fiber, idle);
    ++ran;
    if (enough()) break;
  }
  if (idle != nullptr) give_back(idle);
  return ran != 0;
}

Fiber* Scheduler::next_to_run(Fiber*& idle) noexcept {
  if (Fiber* const fiber = pop_runnable(_ready)) return fiber;
  if (yielded_turn()) {
    if (Fiber* const fiber = pop_runnable(_yielded)) return fiber;
  }
  if (!_jobs.empty()) {
    if (idle == nullptr) idle = take_fiber();
    if (idle == nullptr) tell_of_no_memory();
    if (Job* const job = idle == nullptr ? nullptr : _jobs.pop()) {
      idle->set_job(*job);
      return std::exchange(idle, nullptr);
    }
  }
  return pop_runnable(_yielded);
}

void Scheduler::run(Fiber& fiber, Fiber*& idle) noexcept {
  while (!fiber.resume()) {
    // Before it is parked: whoever wakes it counts it out.
    _waiting.fetch_add(1, std::memory_order_relaxed);
    if (fiber.park()) return;
    _waiting.fetch_sub(1, std::memory_order_relaxed);
  }
  if (idle == nullptr) {
    idle = &fiber;
  } else {
    give_back(&fiber);
  }
  if (_unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1) Engine::instance().completed();
}

bool Scheduler::suspend_until(FunctionRef<bool()> done,
                              const std::atomic<std::uint32_t>* word) noexcept {
  Fiber* const fiber = Fiber::current();
  if (fiber == nullptr || !fiber->may_suspend()) return false;
  core::count(core::Counter::waits_set_aside);
  std::optional<WatchedWait> watched;
  if (watching()) watched.emplace(core::now_ns());
  fiber->suspend([this, fiber, done, word] {
    {
      std::lock_guard lock(_watch_lock);
      if (done()) return false;
      _watched.push_back({fiber, done, word});
      _nwatched.fetch_add(1, std::memory_order_seq_cst);
    }
    // Who runs this looks for it, or has the progress thread do so when it goes.
    return true;
  });
  return true;
}

bool Scheduler::suspend_until(State& state) noexcept {
  Fiber* const fiber = Fiber::current();
  if (fiber == nullptr || !fiber->may_suspend()) return false;
  core::count(core::Counter::waits_set_aside);
  std::optional<WatchedWait> watched;
  if (watching()) watched.emplace(core::now_ns());
  struct Wake final : Continuation {
    Wake(Scheduler& scheduler, Fiber& fiber) noexcept
        : Continuation(Where::inline_), _scheduler(scheduler), _fiber(fiber) {}
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
  if (_nwatched.load(std::memory_order_relaxed) == 0 || !_watch_lock.try_lock()) return false;
  FiberList found;
  std::size_t nfound = 0;
  {
    std::lock_guard lock(_watch_lock, std::adopt_lock);
    for (std::size_t i = 0; i < _watched.size();) {
      if (!_watched[i].done()) {
        ++i;
        continue;
      }
      found.push(*_watched[i].fiber);
      ++nfound;
      _watched[i] = _watched.back();
      _watched.pop_back();
    }
    _nwatched.fetch_sub(nfound, std::memory_order_relaxed);
  }
  _waiting.fetch_sub(nfound, std::memory_order_relaxed);
  while (Fiber* const fiber = found.pop())
    make_ready(*fiber);
  return nfound != 0;
}

/// A word that changes after it was read here ends the sleep, or is woken: its waker sees the job
/// among the sleepers.
Scheduler::Words Scheduler::words_to_sleep_on(std::span<core::FutexWord> words) noexcept {
  Words result;
  std::lock_guard lock(_watch_lock);
  for (const Watched& watched : _watched) {
    // What waits without a word comes with a completion.
    if (watched.word == nullptr) continue;
    const std::uint32_t value = watched.word->load(std::memory_order_seq_cst);
    if (watched.done()) {
      result.found = true;
      break;
    }
    if (result.count == words.size()) {
      result.complete = false;
      break;
    }
    words[result.count++] = {watched.word, value, true};
  }
  return result;
}

void Scheduler::serve() noexcept {
  Engine& engine = Engine::instance();
  std::uint64_t idle_since = 0;
  while (true) {
    const bool ran = run_some(work_between_polls, [] { return false; });
    if (engine.progress_as_worker() || ran) {
      idle_since = 0;
      continue;
    }
    const bool dismissed = is_dismissed();
    // A task that waits is a caller that waits: where no thread polls for it, this one does.
    if (!dismissed && waiting() != 0 && engine.needs_callers()) {
      engine.nap();
      continue;
    }
    const std::uint64_t now = core::now_ns();
    if (idle_since == 0) idle_since = now;
    if (!dismissed && now - idle_since < worker_spin_ns) {
      core::cpu_relax();
      continue;
    }
    _serving.fetch_sub(1, std::memory_order_seq_cst);
    // Looked at again: somebody who has dismissed it since then waits for this.
    if (is_dismissed()) return engine.completed();
    if (watches()) engine.notify();
    if (!has_work() && !engine.has_continuations()) return;
    int serving = _serving.load(std::memory_order_seq_cst);
    do {
      if (serving >= workers() - 1) return;
    } while (!_serving.compare_exchange_weak(serving, serving + 1, std::memory_order_seq_cst));
  }
}

void Scheduler::dismiss_workers() noexcept {
  set_workers(1);
  Engine::instance().wait_until([this] { return _serving.load(std::memory_order_acquire) == 0; });
}

}  // namespace dash::exec
