#pragma once

#include <algorithm>
#include <limits>
#include <thread>
#include <vector>

#include "future/ContinuationQueue.h"
#include "copy/CopyEngine.h"
#include "executor/Scheduler.h"
#include "base/TimedSleep.h"
#include "engine/Wait.h"
#include "dash/async/Engine.h"
#include "dash/async/PolledSource.h"
#include "dash/async/Running.h"
#include "dash/core/Clock.h"
#include "dash/core/Futex.h"
#include "dash/core/Spin.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"

// Who waits for whom:
//   - a caller sleeps on `completions` until a state of this process is done or a continuation is
//     ready, or on a SharedWord until another unit changes it, and on `arrivals` besides;
//   - the thread sleeps on `work` until somebody notifies it, or until its next service is due;
//   - both sleep on the words that sources watch, too.
// Both announce themselves, look again, then sleep; whoever changes something changes it, then looks
// for sleepers (EventCount, SharedWord).
//
// Whether the thread spins or sleeps is decided in idle(); the constants are explained in
// docs/decisions/001-waiting.md.

namespace dash::exec {

inline constexpr std::uint64_t microsecond = 1000;
/// A deadline of waits that have none.
inline constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
/// Pauses between two polls: fewer slow down the main thread's own calls of MPI (docs/decisions/001-waiting.md).
inline constexpr int pauses_between_polls = 20;
inline constexpr std::uint64_t longest_crowded_nap = 100 * microsecond;
/// Words that a thread sleeps on at once; it looks by itself where there are more.
inline constexpr std::size_t most_words = 64;

/// Pieces of work that a waiting thread takes between two polls.
inline constexpr int work_between_polls = 8;
/// Continuations that it runs before it looks whether it still has to wait.
inline constexpr int most_continuations = 256;

inline constinit thread_local bool is_progress_thread = false;
inline constinit thread_local bool is_main_thread = false;

inline constexpr core::CpuSet no_processors;

/// Takes the calling thread out of the count of those who want a processor, while it sleeps.
class Asleep {
 public:
  /// \param own  the processors bound to the thread; others may use them in the meantime
  Asleep(HostLoad& load, const core::CpuSet& own) noexcept : _load(load), _own(own) {
    if (!counted()) return;
    _load.awake.fetch_sub(1, std::memory_order_relaxed);
    if (!_own.empty()) _load.vacate(_own);
  }
  ~Asleep() {
    if (!counted()) return;
    if (!_own.empty()) _load.occupy(_own);
    _load.awake.fetch_add(1, std::memory_order_relaxed);
  }
  Asleep(const Asleep&) = delete;
  Asleep& operator=(const Asleep&) = delete;

 private:
  /// Further threads of the application are nobody's business.
  static bool counted() noexcept { return is_main_thread || is_progress_thread; }

  HostLoad& _load;
  const core::CpuSet& _own;
};

/// Sleeps between which the progress thread finds nothing, as the timeline shows them: as one, which
/// is recorded when it has become long, since the recording may end in the middle of a sleep.
class Rest {
 public:
  static constexpr std::uint64_t long_ns = 10'000 * microsecond;

  void sleeps() noexcept {
    if (core::tracing() && _begin_ns == 0) [[unlikely]]
      _begin_ns = core::now_ns();
  }
  void wakes() noexcept {
    if (_begin_ns == 0) [[likely]]
      return;
    _end_ns = core::now_ns();
    if (_end_ns - _begin_ns > long_ns) ends();
  }
  /// The thread has found something, or goes.
  void ends() noexcept {
    if (_begin_ns == 0) [[likely]]
      return;
    core::trace_span(core::TraceKind::progress, "asleep", _begin_ns, _end_ns);
    _begin_ns = 0;
  }

 private:
  std::uint64_t _begin_ns = 0;
  std::uint64_t _end_ns = 0;
};

/// What the engine is: its thread is in ProgressThread.cpp, its waiting callers are in Waiting.cpp.
struct Engine::Impl {
  Options options;
  HostLoad own_load;
  HostLoad* load = &own_load;

  CopyEngine copies;
  Scheduler& jobs = Scheduler::instance();
  std::vector<PollSource*> sources{&copies, &jobs};  // constant while the thread runs
  std::vector<PolledSource*> looking;               // those of them that can look by themselves
  ContinuationQueue ready;
  core::EventCount completions;
  core::EventCount arrivals;  // of continuations in `ready`

  core::EventCount work;
  std::thread thread;
  std::atomic<bool> thread_runs{false};
  std::atomic<bool> stop_thread{false};
  // For how long the thread sleeps since callers poll, if it does. A hint: who misses it cuts no
  // sleep short.
  std::atomic<std::uint64_t> doze_ns{0};
  // Where the thread has placed itself; its own.
  core::CpuSet bound_to;
  std::uint32_t settled_at = 0;
  std::uint64_t slice = 0;
  bool settled = true;
  TimedSleep thread_nap;
  Rest rest;  // of the thread, in the timeline

  // --- progress -------------------------------------------------------------------------------

  bool poll_sources(bool from_thread) noexcept {
    bool did = false;
    for (PollSource* source : sources) {
      if (from_thread && !source->thread_may_poll()) continue;
      did |= source->poll();
    }
    return did;
  }

  Demand thread_demand() const noexcept {
    Demand demand = Demand::none;
    for (const PollSource* source : sources) {
      if (source->thread_may_poll()) demand = std::max(demand, source->demand());
    }
    return demand;
  }

  bool callers_poll() const noexcept {
    return std::any_of(sources.begin(), sources.end(),
                       [](const PollSource* source) { return source->callers_poll(); });
  }
  /// The same of what moves by polls alone: more of them bring nothing.
  bool callers_poll_enough() const noexcept {
    return std::any_of(sources.begin(), sources.end(), [](const PollSource* source) {
      return source->moves_by_polls() && source->callers_poll();
    });
  }

  /// Whether who waits has to poll between its sleeps: nobody else does, or its thread would do so on
  /// the processor that it leaves.
  bool waiting_caller_polls() const noexcept {
    return caller_must_poll() ||
           (!options.has_processor_to_spare && moves_by_polls(Demand::waiting));
  }
  bool moves_by_polls(Demand at_least = Demand::busy) const noexcept {
    return std::any_of(sources.begin(), sources.end(), [=](const PollSource* source) {
      return source->moves_by_polls() && source->demand() >= at_least;
    });
  }
  bool moves_much() const noexcept {
    return std::any_of(sources.begin(), sources.end(),
                       [](const PollSource* source) { return source->moves_much(); });
  }

  /// Whether something may need polling that no thread polls.
  bool caller_must_poll() const noexcept {
    const bool thread_helps = thread_runs.load(std::memory_order_relaxed);
    for (const PollSource* source : sources) {
      if (thread_helps && source->thread_may_poll()) continue;
      if (source->demand() != Demand::none) return true;
    }
    return false;
  }

  /// Who sleeps on `completions` has to be told by the caller.
  void post(Continuation& continuation) noexcept {
    ready.push(continuation);
    arrivals.notify_registered();
    // A task that waits may wait for this, where nobody else does.
    if (jobs.waiting() != 0) jobs.attract();
  }

  bool run_continuations() noexcept {
    if (ready.looks_empty()) return false;
    if (Running::nested_deeply()) return hand_continuations_to_jobs();
    int ran = 0;
    while (ran < most_continuations) {
      Continuation* continuation = ready.pop();
      if (continuation == nullptr) break;
      const Activity activity(Activity::Kind::user_code, "a continuation");
      do {
        ++ran;
        const core::TraceSpan span(core::TraceKind::task, "continuation");
        continuation = continuation->run_and_pass_on();
      } while (continuation != nullptr && ran < most_continuations);
      if (continuation != nullptr) {
        post(*continuation);
        completions.notify_registered();
      }
    }
    return ran != 0;
  }

  /// From functions that wait within functions that wait: on this stack there would be no end of it.
  bool hand_continuations_to_jobs() noexcept;

  bool progress() noexcept {
    const bool ran = !is_progress_thread && run_continuations();
    const bool did = poll_sources(false) || ran;
    core::count(core::Counter::caller_polls);
    if (did) core::count(core::Counter::useful_caller_polls);
    return did;
  }

  /// Jobs run on threads' own stacks, not on top of each other's.
  bool may_run_jobs() const noexcept { return jobs.has_work() && !in_job(); }

  bool run_jobs(FunctionRef<bool()> enough) noexcept {
    return may_run_jobs() && jobs.run_some(work_between_polls, enough);
  }

  // --- the thread: ProgressThread.cpp -----------------------------------------------------------

  void run_thread() noexcept;
  /// Whether there is no processor where the thread could run without interrupting a main thread.
  bool crowded() noexcept { return !options.has_processor_to_spare && !settle(); }
  bool idle(std::uint64_t last_useful) noexcept;
  bool nap_in_crowd(std::uint64_t idle_for) noexcept;
  bool doze(std::uint64_t idle_for) noexcept;
  void spin() noexcept;
  void take_slice(std::uint64_t wanted) noexcept;
  void park(std::int64_t timeout_ns) noexcept;
  bool settle() noexcept;

  /// Who starts a copy queues it, then asks this; the thread ends its doze, then looks at the queue.
  /// All four sequentially consistent, so one of the two sees the other.
  bool dozes() const noexcept { return doze_ns.load(std::memory_order_seq_cst) != 0; }

  bool dozes_longer_than(std::uint64_t ns) const noexcept {
    return doze_ns.load(std::memory_order_relaxed) > ns;
  }
  void end_doze() noexcept {
    doze_ns.store(0, std::memory_order_relaxed);
    work.notify_all();
  }

  bool wake_if_behind() noexcept {
    bool behind = false;
    for (PollSource* const source : sources)
      behind |= source->thread_is_behind();
    if (behind) work.notify_all();
    return behind;
  }

  /// A thread that has polled goes on with something else: the progress thread takes over, and looks
  /// whether what jobs wait for has come. Not for a job, whose thread goes on polling.
  /// \param soon_back  after a short wait, mostly to wait again: where the thread has to interrupt it
  ///                   for a poll, it goes on dozing
  void caller_leaves(bool soon_back) noexcept {
    if (wake_if_behind() || in_job()) return;
    if (jobs.watches()) {
      work.notify_all();
    } else if (dozes_longer_than(longest_crowded_nap) && !(soon_back && moves_by_polls())) {
      end_doze();
    }
  }

  // --- callers: Waiting.cpp ---------------------------------------------------------------------

  const core::CpuSet& own_processors() const noexcept {
    return is_main_thread ? options.main_processors : no_processors;
  }

  /// Whether something quick moves, here or at a peer, as fast as it is polled.
  bool busy() const noexcept {
    return std::any_of(sources.begin(), sources.end(), [](const PollSource* source) {
      return source->demand() == Demand::busy && source->quick();
    });
  }

  void check_may_wait() const;
  template <class Done>
  bool look_first(const Done& done) noexcept;
  template <class Done>
  bool spin_until(const Done& done, Wait& wait, std::uint64_t deadline_ns = never) noexcept;
  template <class Done>
  bool yield_until(const Done& done, Wait& wait) noexcept;
  template <class Done>
  bool yield_and_poll_until(const Done& done, Wait& wait, std::uint64_t deadline_ns) noexcept;
  bool wait_until(FunctionRef<bool()> done, std::uint64_t deadline_ns);
  void wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done);
  class Leaving;
  class Nap;
  bool look_about(FunctionRef<bool()> enough, Nap& nap) noexcept;
  void sleep(core::EventCount::Key key, const core::FutexWord* own, bool poll_myself, Nap& nap,
             std::uint64_t deadline_ns) noexcept;
  bool sleep_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done, Nap& nap) noexcept;
  bool sleep_shared_and_watch(SharedWord& word, FunctionRef<bool(std::uint32_t)> done,
                              Nap& nap) noexcept;
  bool watches() const noexcept;
  PollSource::Words words_to_sleep_on(std::span<core::FutexWord> words, bool by_thread) noexcept;
};

}  // namespace dash::exec
