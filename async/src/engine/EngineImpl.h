#pragma once

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "base/ProgressService.h"
#include "base/ThreadRole.h"
#include "base/TimedSleep.h"
#include "copy/CopyEngine.h"
#include "dash/async/ComputationScope.h"
#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/Futex.h"
#include "dash/core/Spin.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"
#include "engine/WaitRecord.h"
#include "executor/Arena.h"
#include "executor/Scheduler.h"
#include "future/ContinuationQueue.h"

// Which thread sleeps on which word:
//   - a caller sleeps on `completions` until a state of this process is done or a continuation is
//     ready, or on a SharedWord until another unit changes it, and on `arrivals` at the same time;
//   - the progress thread sleeps on `work` until it is notified or its next service poll is due;
//   - both also sleep on the words of the poll sources.
// A sleeper registers, checks its condition again, then sleeps; a waker changes the condition, then
// checks for registered sleepers (EventCount, SharedWord).
//
// wait_for_work() decides whether the progress thread spins or sleeps; docs/decisions/001-waiting.md
// and 020-default-progress-mode.md explain the constants.

namespace dash::exec {

inline constexpr std::uint64_t microsecond = 1000;
/// Pauses between two polls. With fewer, the polls slow down the MPI calls of the main thread
/// (docs/decisions/001-waiting.md).
inline constexpr int pauses_between_polls = 20;  // calls of cpu_relax()
/// Longest sleep of a caller that polls between its sleeps for the network.
inline constexpr std::uint64_t longest_polling_sleep = 100 * microsecond;
/// Number of words that a thread sleeps on at once; if there are more, it polls periodically.
inline constexpr std::size_t max_words = 64;

/// Continuations that a waiting thread runs before it checks its own condition again.
inline constexpr int max_continuations = 256;

inline constexpr core::CpuSet no_processors;

/// Removes the calling thread from the count of runnable threads while it sleeps.
class SleepRegistration {
 public:
  /// \param own  the processors bound to the thread; other threads may use them in the meantime
  SleepRegistration(HostLoad& load, const core::CpuSet& own) noexcept : _load(load), _own(own) {
    if (!counted()) return;
    _load.awake.fetch_sub(1, std::memory_order_relaxed);
    if (!_own.empty()) _load.vacate(_own);
  }
  ~SleepRegistration() {
    if (!counted()) return;
    if (!_own.empty()) _load.occupy(_own);
    _load.awake.fetch_add(1, std::memory_order_relaxed);
  }
  SleepRegistration(const SleepRegistration&) = delete;
  SleepRegistration& operator=(const SleepRegistration&) = delete;

 private:
  /// Other threads of the application are never counted.
  static bool counted() noexcept { return is_main_thread || is_progress_thread; }

  HostLoad& _load;
  const core::CpuSet& _own;
};

/// Records successive sleeps of the progress thread without work in between as one span of the timeline.
/// A span is written as soon as it is long, since the recording may end during a sleep.
class IdleSpan {
 public:
  static constexpr std::uint64_t long_ns = 10'000 * microsecond;

  void begin_sleep() noexcept {
    if (core::tracing() && _begin_ns == 0) [[unlikely]]
      _begin_ns = core::now_ns();
  }
  void end_sleep() noexcept {
    if (_begin_ns == 0) [[likely]]
      return;
    _end_ns = core::now_ns();
    if (_end_ns - _begin_ns > long_ns) finish();
  }
  /// Writes the span. Called when the thread has found work or ends.
  void finish() noexcept {
    if (_begin_ns == 0) [[likely]]
      return;
    core::trace_span(core::TraceKind::progress, "sleeping", _begin_ns, _end_ns);
    _begin_ns = 0;
  }

 private:
  std::uint64_t _begin_ns = 0;
  std::uint64_t _end_ns = 0;
};

/// State and algorithms of the engine. ProgressThread.cpp has its thread, Waiting.cpp its waiting callers.
struct Engine::Impl final : ProgressService {
  Options options;
  HostLoad own_load;
  HostLoad* load = &own_load;
  std::atomic<std::uint32_t> own_waiting_callers{0};
  std::atomic<std::uint32_t>* waiting_callers = &own_waiting_callers;

  CopyEngine copies;
  Scheduler jobs{*this};
  std::vector<PollSource*> sources{&copies, &jobs};  // constant while the thread runs
  std::vector<FastPollSource*> fast_sources;         // the members of `sources` with a fast path
  ContinuationQueue ready;
  core::EventCount completions;
  core::EventCount arrivals;  // of continuations in `ready`, and of jobs that callers have to run

  core::EventCount work;
  std::thread thread;
  // Relaxed: it publishes no data. start() and stop() store it while no operation is in flight.
  std::atomic<bool> thread_runs{false};
  // stop() stores true, then notifies `work`; the thread registers with `work`, then loads. Its EventCount orders the
  // two, so that the thread sees the store or is woken. The creation of the thread publishes the store of start().
  std::atomic<bool> stop_thread{false};
  // Length of the current sleep of the progress thread if it relies on polling callers, else 0. A hint:
  // a caller that reads an old value does not end the sleep early, and the sleep has a limit.
  std::atomic<std::uint64_t> backed_off_ns{0};
  // The latest sleep of the progress thread has no timeout. It stores true, then loads the demand; another thread changes
  // the demand, then loads the flag. All four are sequentially consistent, so one of the two sees the other's change.
  std::atomic<bool> sleeps_without_timeout{false};
  // The thread has been notified of changed words and has not collected them since. It clears the flag after it has
  // registered with `work` and before it collects: it sees what changed before an earlier request, and a later one
  // wakes it.
  std::atomic<bool> recheck_requested{false};
  // The members below belong to the progress thread.
  core::CpuSet bound_to;
  std::uint32_t placed_at = 0;  // value of HostLoad::changes for which it chose its processors
  std::uint64_t slice = 0;
  bool has_vacant_processor = true;
  unsigned idle_polls = 0;  // since the last poll that found work
  unsigned back_offs = 0;   // checks in a row that have found that callers poll now
  TimedSleep shortest_sleep;
  IdleSpan idle_span;
  std::uint64_t counted_ns = 0;  // processor time of the thread at its last count; 0: not counting

  // --- ProgressService: Engine.cpp --------------------------------------------------------------

  void notify_completion() noexcept override { completions.notify_all(); }
  void notify_state_closed() noexcept override { completions.notify_registered(); }
  void notify_job() noexcept override { arrivals.notify_all(); }
  /// The caller has to wake threads that sleep on `completions`.
  void post(Continuation& continuation) noexcept override {
    ready.push(continuation);
    arrivals.notify_registered();
    // A suspended task may depend on this continuation while no thread waits.
    if (jobs.waiting() != 0) jobs.request_thread();
  }
  bool has_continuations() const noexcept override { return !ready.empty(); }
  void wait_for(State& state) override;
  bool wait_until(FunctionRef<bool()> done, std::uint64_t deadline_ns) override;
  bool progress() noexcept override;
  bool progress_without_jobs() noexcept override;
  bool callers_must_poll() const noexcept override;
  void sleep_briefly() noexcept override;
  void notify_thread() noexcept override {
    if (thread_runs.load(std::memory_order_relaxed)) {
      work.notify_all();
    } else {
      wake_callers();
    }
  }
  void wake_idle_thread() noexcept override {
    if (!thread_runs.load(std::memory_order_relaxed)) return wake_callers();
    if (sleeps_without_timeout.load(std::memory_order_seq_cst)) work.notify_all();
  }
  void leave_suspended_jobs() noexcept override {
    if (jobs.waiting() != 0 && has_continuations()) jobs.request_thread();
    if (!jobs.has_wait_words()) return;
    if (jobs.thread_may_poll()) {
      notify_thread();
    } else {
      wake_callers();
    }
  }
  /// Wakes callers so that they collect the words of the sources again.
  void wake_callers() noexcept {
    completions.notify_all();
    arrivals.notify_all();
  }

  // --- progress -------------------------------------------------------------------------------

  bool poll_sources(bool from_thread) noexcept {
    bool made_progress = false;
    for (PollSource* source : sources) {
      if (from_thread && !source->thread_may_poll()) continue;
      made_progress |= source->poll();
    }
    return made_progress;
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
                       [](const PollSource* source) { return source->polled_by_callers(); });
  }
  /// Whether callers poll the operations that progress only by polling. More polls would not help.
  bool callers_poll_enough() const noexcept {
    return std::any_of(sources.begin(), sources.end(), [](const PollSource* source) {
      return source->progresses_by_polling() && source->polled_by_callers();
    });
  }

  /// The same, within some tenths of a millisecond.
  bool callers_poll_now() const noexcept {
    return std::any_of(sources.begin(), sources.end(), [](const PollSource* source) {
      return source->progresses_by_polling() && source->is_polled_by_callers_now();
    });
  }

  /// Whether a waiting caller has to poll between its sleeps: no other thread does, or the progress
  /// thread would do so on the processor that the sleeping caller frees. Where units share processors,
  /// callers serve other units, too, since the threads poll rarely.
  bool waiting_caller_must_poll() const noexcept {
    const Demand at_least = options.units_share_processors ? Demand::service : Demand::waiting;
    return callers_must_poll() || (!has_processor_to_spare() && progresses_by_polling(at_least));
  }
  bool progresses_by_polling(Demand at_least = Demand::busy) const noexcept {
    return std::any_of(sources.begin(), sources.end(), [=](const PollSource* source) {
      return source->progresses_by_polling() && source->has_demand(at_least);
    });
  }
  /// The longest sleep of a waiting caller between two polls of sources without demand; 0: forever.
  std::uint64_t idle_poll_interval_ns() const noexcept {
    std::uint64_t shortest = 0;
    for (const PollSource* source : sources) {
      const std::uint64_t interval = source->idle_poll_interval_ns();
      if (interval != 0 && (shortest == 0 || interval < shortest)) shortest = interval;
    }
    return shortest;
  }
  /// The shortest useful time between two polls of a thread that interrupts a main thread for each. 0:
  /// polls at the service interval are enough.
  std::uint64_t shortest_poll_interval_ns() const noexcept {
    std::uint64_t shortest = 0;
    for (const PollSource* const source : sources) {
      if (!source->thread_may_poll() || source->demand() != Demand::busy) continue;
      const std::uint64_t interval = source->progresses_by_polling()
                                         ? source->shortest_poll_interval_ns()
                                         : large_operation_poll_ns;
      if (interval != 0 && (shortest == 0 || interval < shortest)) shortest = interval;
    }
    return shortest;
  }

  /// The caller runs functions of the application instead of polling, so that messages have to wake the progress thread.
  /// Does nothing in a job, which may end the scope on another thread: the thread has paused before it resumed the job.
  class CallerPause {
   public:
    explicit CallerPause(Impl& engine) noexcept
        : _count(in_job() ? nullptr : std::exchange(counted_in, nullptr)) {
      if (_count == nullptr) return;
      _count->fetch_sub(1, std::memory_order_seq_cst);
      engine.wake_if_words_changed();
    }
    ~CallerPause() {
      if (_count == nullptr) return;
      counted_in = _count;
      _count->fetch_add(1, std::memory_order_relaxed);
    }
    CallerPause(const CallerPause&) = delete;
    CallerPause& operator=(const CallerPause&) = delete;

   private:
    std::atomic<std::uint32_t>* _count;
  };

  bool run_continuations() noexcept {
    if (ready.looks_empty()) return false;
    if (ComputationScope::nested_deeply()) return move_continuations_to_jobs();
    const CallerPause pause(*this);
    int ran = 0;
    while (ran < max_continuations) {
      Continuation* continuation = ready.pop();
      if (continuation == nullptr) break;
      const Activity activity(Activity::Kind::user_code, "a continuation");
      do {
        ++ran;
        const core::TraceSpan span(core::TraceKind::task, "continuation");
        continuation = continuation->run_and_take_next();
      } while (continuation != nullptr && ran < max_continuations);
      if (continuation != nullptr) {
        post(*continuation);
        completions.notify_registered();
      }
    }
    return ran != 0;
  }

  /// Turns the ready continuations into jobs. Used when functions that wait are nested deeply: running the
  /// continuations here could overflow the stack.
  bool move_continuations_to_jobs() noexcept;

  /// Runs continuations, then polls all sources once.
  bool poll_once() noexcept {
    const bool ran = !is_progress_thread && run_continuations();
    const bool made_progress = poll_sources(false) || ran;
    core::count(core::Counter::caller_polls);
    if (made_progress) core::count(core::Counter::useful_caller_polls);
    return made_progress;
  }

  /// A thread runs jobs only while it is not running one: jobs do not nest.
  bool may_run_jobs() const noexcept { return jobs.has_work() && !in_job(); }

  bool run_jobs(FunctionRef<bool()> done) noexcept {
    if (!may_run_jobs()) return false;
    const CallerPause pause(*this);
    return jobs.run_some(Scheduler::jobs_between_polls, done);
  }

  // --- the thread: ProgressThread.cpp -----------------------------------------------------------

  void run_thread() noexcept;
  /// Whether the unit has more processors than threads that compute: its main thread and its active workers.
  bool has_processor_to_spare() const noexcept {
    return options.num_own_processors > 1 + active_workers();
  }
  /// Whether the thread has no idle processor, so that running it interrupts a thread that computes.
  bool no_idle_processor() noexcept { return !has_processor_to_spare() && !choose_processors(); }
  bool wait_for_work(std::uint64_t last_useful) noexcept;
  bool sleep_without_idle_processor(std::uint64_t idle_for) noexcept;
  bool back_off(std::uint64_t idle_for) noexcept;
  void spin() noexcept;
  void take_slice(std::uint64_t wanted) noexcept;
  /// What ends a sleep of the thread, besides a notification.
  enum class Watched {
    nothing,  ///< callers poll the sources
    words,    ///< the words of the sources
    service   ///< the same, and service_words(): the thread polls again only to serve other units
  };
  bool park(std::int64_t timeout_ns, Watched what = Watched::words) noexcept;
  void count_processor_time() noexcept;
  std::uint64_t sleep_factor() const noexcept;
  std::uint64_t service_sleep_ns() const noexcept;
  std::uint64_t interrupting_sleep_ns(std::uint64_t idle_for) const noexcept;
  std::uint64_t back_off_sleep_ns() noexcept;
  bool host_has_idle_processor() const noexcept;
  bool choose_processors() noexcept;

  /// Whether the thread sleeps in back_off(). A caller that starts a copy enqueues it, then calls this;
  /// the thread ends its back-off, then checks the queue. All four accesses are sequentially consistent,
  /// so at least one of the two sees the write of the other.
  bool is_backed_off() const noexcept { return backed_off_ns.load(std::memory_order_seq_cst) != 0; }

  bool is_backed_off_longer_than(std::uint64_t ns) const noexcept {
    return backed_off_ns.load(std::memory_order_relaxed) > ns;
  }
  void end_back_off() noexcept {
    backed_off_ns.store(0, std::memory_order_relaxed);
    work.notify_all();
  }

  /// Not while the thread is backed off: it collects the words again when that sleep ends.
  bool wake_if_words_changed() noexcept {
    if (is_backed_off_longer_than(0)) return false;
    bool changed = false;
    for (PollSource* const source : sources)
      changed |= source->thread_must_recheck();
    // One system call wakes the thread. It may take long until it runs, if all processors are in use.
    if (changed && !recheck_requested.exchange(true, std::memory_order_acq_rel)) work.notify_all();
    return changed;
  }

  /// A thread that has polled stops polling. Wakes the progress thread if large operations are in flight,
  /// and the threads that check the conditions of suspended jobs. Not needed for a job, whose thread continues
  /// to poll.
  /// \param soon_back  the wait was short, so the caller will probably wait again soon; then a progress
  ///                   thread that would have to interrupt it for a poll stays in its back-off
  void caller_stops_polling(bool soon_back) noexcept {
    const bool woken = wake_if_words_changed();
    if (in_job()) return;
    leave_suspended_jobs();
    // The thread polls no more often than this for large operations, so a shorter sleep need not end early.
    if (!woken && is_backed_off_longer_than(large_operation_poll_ns) &&
        !(progresses_by_polling(Demand::service) &&
          (soon_back || shortest_poll_interval_ns() == 0))) {
      end_back_off();
    }
  }

  // --- callers: Waiting.cpp ---------------------------------------------------------------------

  const core::CpuSet& own_processors() const noexcept {
    return is_main_thread ? options.main_processors : no_processors;
  }

  /// Whether short operations, of this unit or of a peer, advance with each poll.
  bool busy() const noexcept {
    return std::any_of(sources.begin(), sources.end(), [](const PollSource* source) {
      return source->has_demand(Demand::busy) && source->has_short_operations();
    });
  }

  bool expects_more() const noexcept {
    return std::any_of(sources.begin(), sources.end(),
                       [](const PollSource* source) { return source->expects_more(); });
  }

  void poll_after_short_waits() noexcept;
  bool try_jobs_alone(FunctionRef<bool()> done) noexcept;
  template <class Done>
  bool try_fast_path(const Done& done) noexcept;
  template <class Done>
  bool spin_until(const Done& done, WaitRecord& wait,
                  std::uint64_t deadline_ns = no_deadline) noexcept;
  template <class Done>
  bool yield_until(const Done& done, WaitRecord& wait) noexcept;
  template <class Done>
  bool yield_and_poll_until(const Done& done, WaitRecord& wait, std::uint64_t deadline_ns) noexcept;
  bool wait_until_done(FunctionRef<bool()> done, std::uint64_t deadline_ns);
  void wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done);
  class WaitEndNotifier;
  class SleepBackOff;
  bool make_progress(FunctionRef<bool()> done, SleepBackOff& sleeps) noexcept;
  void sleep(core::EventCount::Key key, const core::FutexWord* own, bool must_poll,
             SleepBackOff& sleeps, std::uint64_t deadline_ns) noexcept;
  bool sleep_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done,
                    SleepBackOff& sleeps) noexcept;
  bool sleep_shared_and_watch(SharedWord& word, FunctionRef<bool(std::uint32_t)> done,
                              SleepBackOff& sleeps) noexcept;
  bool has_wait_words() const noexcept;
  PollSource::Words wait_words(std::span<core::FutexWord> words, bool by_thread) noexcept;
  PollSource::Words service_words(std::span<core::FutexWord> words) noexcept;
};

}  // namespace dash::exec
