// Waiting callers: they spin and make progress, then sleep.

#include <sched.h>

#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/TimeSlice.h"
#include "dash/Exception.h"
#include "dash/core/Clock.h"
#include "dash/core/Pooled.h"
#include "engine/EngineImpl.h"

namespace dash::exec {

namespace {

/// Longest sleep of a caller between two polls.
constexpr std::uint64_t longest_sleep = 500 * microsecond;
/// Longest sleep on a shared word if the kernel cannot wait for continuations at the same time.
constexpr std::int64_t single_word_sleep = 1000 * microsecond;
/// Polls of a spinning caller between two checks of the clock and of the demand.
constexpr int polls_between_checks = 8;
/// Checks of a word that another unit changes, before the first poll. They take a fraction of a
/// microsecond; a unit that runs the same code in step has usually arrived by then, and a poll
/// would only delay the caller.
constexpr int initial_checks = 8;

/// Waits that end before their first poll, between two polls.
constexpr unsigned short_waits_between_polls = 256;

/// Yields of a caller whose unit shares its processors, before it sleeps.
constexpr int max_yields = 32;
/// A yield that takes longer has let a computing thread run.
constexpr std::uint64_t longest_yield = 20 * microsecond;
/// As longest_yield, if the threads that ran during the yield may have polled.
constexpr std::uint64_t longest_polling_yield = 1000 * microsecond;

/// Length of a sleep that only a wake-up ends.
constexpr std::int64_t forever = -1;

constinit thread_local TimedSleep caller_sleep;

/// Set-up for one sleep of a caller, until the end of the scope.
class SleepScope {
 public:
  explicit SleepScope(std::int64_t timeout_ns) noexcept : _observer(caller_sleep, timeout_ns) {
    if (timeout_ns >= 0) _no_slack.emplace();
  }

 private:
  std::optional<TimerSlackGuard> _no_slack;
  TimedSleep::Observer _observer;
};

/// Limits the length of a sleep to the time left until the deadline.
std::int64_t limit_to_deadline(std::int64_t length, std::uint64_t deadline_ns) noexcept {
  if (deadline_ns == no_deadline) return length;
  const std::uint64_t now = core::now_ns();
  const std::uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
  return length < 0 ? static_cast<std::int64_t>(left)
                    : static_cast<std::int64_t>(std::min(static_cast<std::uint64_t>(length), left));
}

/// Counts a caller that waits and polls.
class CallerCount {
 public:
  explicit CallerCount(std::atomic<std::uint32_t>& count) noexcept
      : _count(count), _outer(std::exchange(counted_in, &count)) {
    _count.fetch_add(1, std::memory_order_relaxed);
  }
  /// Sequentially consistent: another unit that finds no caller wakes the progress thread, or the check for messages that
  /// follows finds its message.
  ~CallerCount() {
    _count.fetch_sub(1, std::memory_order_seq_cst);
    counted_in = _outer;
  }
  CallerCount(const CallerCount&) = delete;
  CallerCount& operator=(const CallerCount&) = delete;

 private:
  std::atomic<std::uint32_t>& _count;
  std::atomic<std::uint32_t>* _outer;
};

}  // namespace

bool Engine::Impl::move_continuations_to_jobs() noexcept {
  class ContinuationJob final : public Job, public core::Pooled {
   public:
    explicit ContinuationJob(Continuation& continuation) noexcept : _continuation(continuation) {}
    void run() noexcept override {
      _continuation.run();
      delete this;
    }

   private:
    Continuation& _continuation;
  };
  bool any = false;
  while (Continuation* const continuation = ready.pop()) {
    jobs.announce();
    jobs.submit(*new ContinuationJob(*continuation));
    any = true;
  }
  return any;
}

/// At the end of a wait that has not polled. A program may wait in this way only, and a source may have to be polled for
/// others.
void Engine::Impl::poll_after_short_waits() noexcept {
  constinit thread_local unsigned count = 0;
  if (++count % short_waits_between_polls == 0 && may_wait()) poll_sources(false);
}

/// Runs jobs, of which the caller has often created the one that it waits for. Polling takes longer than a small job, so
/// this does not poll if another thread does.
bool Engine::Impl::try_jobs_alone(FunctionRef<bool()> done) noexcept {
  if (callers_must_poll() || !run_jobs(done) || !done()) return false;
  poll_after_short_waits();
  return true;
}

/// If only one source has demand and it has a fast path, polls that source alone: a full round of
/// progress takes as long as a small message. Does not apply if another source watches words: the
/// caller may wait for a signal that arrives with a message, and only a poll of that other source
/// completes its state.
template <class Done>
bool Engine::Impl::try_fast_path(const Done& done) noexcept {
  if (fast_sources.empty()) return false;
  for (FastPollSource* const source : fast_sources)
    source->on_caller_wait();
  if (options.caller_spin_ns == 0 || in_job()) return false;
  FastPollSource* const first = fast_sources.front();
  for (const PollSource* const source : sources) {
    if (source->has_demand() != (source == first)) return false;
    if (source != first && source->prevents_fast_path()) return false;
  }
  first->poll_until([&] { return done() || !ready.looks_empty() || may_run_jobs(); });
  return done();
}

/// Spins and makes progress until done, for at most the configured time without success. Continues, and
/// polls without pauses, while short operations advance: progress that a source makes for a peer is
/// usually visible only in its demand.
template <class Done>
bool Engine::Impl::spin_until(const Done& done, WaitRecord& wait,
                              std::uint64_t deadline_ns) noexcept {
  std::uint64_t begin = 0;
  while (true) {
    for (int i = 0; i < polls_between_checks;) {
      const bool has_polled = poll_once();
      const bool made_progress = run_jobs(done) || has_polled;
      if (made_progress) wait.helped();
      if (done()) return true;
      if (made_progress) {
        begin = 0;
        if (deadline_ns != no_deadline && core::now_ns() >= deadline_ns) return false;
      } else {
        ++i;
      }
    }
    if (options.caller_spin_ns == 0) return false;
    const std::uint64_t now = core::now_ns();
    if (now >= deadline_ns) return false;
    wait.spins(now);
    if (begin == 0) begin = now;
    if (busy()) continue;
    for (int i = 0; i < pauses_between_polls; ++i) {
      core::cpu_relax();
      if (done()) return true;
    }
    if (now - begin > options.caller_spin_ns) return false;
  }
}

/// For units that share processors: units that exchange little data in each step need all other
/// units to run in between. A round of yields costs about 1 us per unit; a sleep with its wake-up
/// costs about 10 us. Ends as soon as a yield has let a computing thread run, or this thread has
/// other work.
template <class Done>
bool Engine::Impl::yield_until(const Done& done, WaitRecord& wait) noexcept {
  if (!options.caller_yields) return false;
  std::uint64_t before = core::now_ns();
  wait.spins(before);
  for (int i = 0; i < max_yields; ++i) {
    if (!ready.looks_empty() || may_run_jobs() || waiting_caller_must_poll()) return false;
    sched_yield();
    const std::uint64_t now = core::now_ns();
    wait.spins(now);
    if (done()) return true;
    if (now - before > longest_yield) return false;
    before = now;
  }
  return false;
}

/// As yield_until(), but polls after each yield. A poll that finds work has usually completed one
/// step of an operation whose next step follows soon: then the count of yields starts again.
template <class Done>
bool Engine::Impl::yield_and_poll_until(const Done& done, WaitRecord& wait,
                                        std::uint64_t deadline_ns) noexcept {
  if (!options.caller_yields) return false;
  int idle_yields = 0;
  while (idle_yields < max_yields) {
    const std::uint64_t before = core::now_ns();
    if (before >= deadline_ns) return false;
    sched_yield();
    const std::uint64_t now = core::now_ns();
    wait.spins(now);
    const bool has_polled = poll_once();
    const bool made_progress = run_jobs(done) || has_polled;
    if (done()) return true;
    if (now - before > longest_polling_yield) return false;
    if (made_progress) wait.helped();
    idle_yields = made_progress ? 0 : idle_yields + 1;
  }
  return false;
}

/// Notifies the engine at the end of a wait that the caller stops polling.
class Engine::Impl::WaitEndNotifier {
 public:
  WaitEndNotifier(Impl& engine, const WaitRecord& wait) noexcept : _engine(engine), _wait(wait) {}
  ~WaitEndNotifier() { _engine.caller_stops_polling(_wait.was_short()); }
  WaitEndNotifier(const WaitEndNotifier&) = delete;
  WaitEndNotifier& operator=(const WaitEndNotifier&) = delete;

 private:
  Impl& _engine;
  const WaitRecord& _wait;
};

/// Back-off of a wait: the lengths of its sleeps. If the caller polls between them, they grow until a poll
/// finds work. From the first sleep on, the processor counts as free for other threads.
class Engine::Impl::SleepBackOff {
 public:
  explicit SleepBackOff(Impl& engine) noexcept : _engine(engine) {}

  void begin_sleep() noexcept {
    if (!_registration) _registration.emplace(*_engine.load, _engine.own_processors());
  }
  /// The caller has work that takes longer than a poll: its processor is not free any more.
  void end_sleep() noexcept { _registration.reset(); }

  void restart() noexcept { _length = 0; }

  /// The length of a sleep that another thread ends: unlimited, unless a source needs idle polls. These become
  /// less frequent during the wait.
  std::int64_t next_until_woken() noexcept {
    // From now on, the progress thread has to poll.
    if (_engine.is_backed_off_longer_than(0)) _engine.end_back_off();
    const std::uint64_t longest = _engine.idle_poll_interval_ns();
    if (longest == 0) return forever;
    _length = std::clamp(2 * _length, longest / 8, longest);
    return static_cast<std::int64_t>(_length);
  }

  std::int64_t next() noexcept {
    const bool by_polling = _engine.progresses_by_polling();
    // A main thread that polls on its own processor delays only progress threads of other units.
    const bool has_processor = !_engine.options.main_processors.empty();
    const std::uint64_t longer = by_polling && has_processor ? 0 : 2 * _length;
    _length =
        std::clamp(longer, caller_sleep.ns(), by_polling ? longest_polling_sleep : longest_sleep);
    return static_cast<std::int64_t>(_length);
  }

 private:
  Impl& _engine;
  std::optional<SleepRegistration> _registration;
  std::uint64_t _length = 0;
};

/// Makes progress between two sleeps.
/// \returns whether operations that are still in flight advance
bool Engine::Impl::make_progress(FunctionRef<bool()> done, SleepBackOff& sleeps) noexcept {
  if (!ready.empty() || may_run_jobs()) sleeps.end_sleep();
  const bool advanced = poll_once();
  const bool ran = run_jobs(done);
  if (advanced || ran) sleeps.restart();
  // The peer or the job probably needs this thread again soon: a sleep would delay it.
  const bool active = ran || busy() || (advanced && expects_more());
  if (active) sleeps.end_sleep();
  return active;
}

bool Engine::Impl::wait_until_done(FunctionRef<bool()> done, std::uint64_t deadline_ns) {
  if (done()) {
    core::count(core::Counter::waits_ready);
    poll_after_short_waits();
    return true;
  }
  check_may_wait();
  WaitRecord wait("wait");
  const WaitEndNotifier end_notifier(*this, wait);
  if (try_jobs_alone(done)) {
    wait.helped();
    return true;
  }
  const bool is_timed = deadline_ns != no_deadline;
  const auto timed_out = [&] { return is_timed && core::now_ns() >= deadline_ns; };
  if (jobs.suspend_until([&] { return done() || timed_out(); })) {
    wait.suspended();
    return done();
  }
  const CallerCount count(*waiting_callers);
  const auto spin_or_yield = [&] {
    return spin_until(done, wait, deadline_ns) || yield_and_poll_until(done, wait, deadline_ns);
  };
  if (try_fast_path(done) || spin_or_yield()) return true;
  SleepBackOff sleeps(*this);
  while (!timed_out()) {
    const auto key = completions.prepare();
    // Check after registration: a thread that adds a condition wakes only registered callers.
    const bool must_poll = waiting_caller_must_poll();
    if (done()) {
      completions.cancel();
      return true;
    }
    if (!ready.empty() || may_run_jobs()) {
      completions.cancel();
    } else {
      wait.sleeps();
      sleep(key, nullptr, must_poll, sleeps, deadline_ns);
    }
    const bool active = make_progress(done, sleeps);
    if (done() || (active && spin_or_yield())) return true;
  }
  return false;
}

void Engine::Impl::wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done) {
  // Acquire: the caller sees what the other unit wrote before it changed the word.
  const auto arrived = [&] { return done(word.value.load(std::memory_order_acquire)); };
  if (arrived()) {
    core::count(core::Counter::waits_ready);
    return poll_after_short_waits();
  }
  check_may_wait();
  WaitRecord wait("wait for a unit");
  const WaitEndNotifier end_notifier(*this, wait);
  // Spin even in a job, because suspending it takes longer.
  for (int i = 0; i < initial_checks && options.caller_spin_ns != 0; ++i) {
    core::cpu_relax();
    if (arrived()) return poll_after_short_waits();
  }
  if (in_job()) {
    // A sleeping thread may sleep on the word on behalf of this job. The decrement is relaxed: a waker that still counts
    // the caller only makes a superfluous system call.
    word.sleepers.fetch_add(1, std::memory_order_seq_cst);
    const bool suspended = jobs.suspend_until(arrived, &word.value);
    word.sleepers.fetch_sub(1, std::memory_order_relaxed);
    if (suspended) return wait.suspended();
  }
  const CallerCount count(*waiting_callers);
  const auto spin_or_yield = [&] {
    return spin_until(arrived, wait) ||
           (waiting_caller_must_poll() && yield_and_poll_until(arrived, wait, no_deadline));
  };
  if (try_fast_path(arrived) || yield_until(arrived, wait) || spin_or_yield()) return;
  SleepBackOff sleeps(*this);
  while (true) {
    wait.sleeps();
    if (sleep_shared(word, done, sleeps)) return;
    const bool active = make_progress(arrived, sleeps);
    if (arrived() || (active && spin_or_yield())) return;
  }
}

bool Engine::Impl::has_wait_words() const noexcept {
  return std::any_of(sources.begin(), sources.end(), [this](const PollSource* source) {
    return source->has_wait_words() && !(source == &jobs && in_job());
  });
}

/// Collects the words of all sources.
/// \param by_thread  for the progress thread: only of sources that wake it
PollSource::Words Engine::Impl::wait_words(std::span<core::FutexWord> words,
                                           bool by_thread) noexcept {
  PollSource::Words all;
  for (PollSource* const source : sources) {
    if (!source->has_wait_words() || (source == &jobs && in_job())) continue;
    if (by_thread && !source->wakes_progress_thread()) continue;
    const PollSource::Words part = source->wait_words(words.subspan(all.count), by_thread);
    all.count += part.count;
    all.complete = all.complete && part.complete;
    all.found = all.found || part.found;
  }
  return all;
}

/// Sleeps until a completion, until `own` (if not null) changes, or until a word of a source or of a
/// suspended job changes.
/// \pre the caller is registered in `completions` (this call ends that), and as a sleeper of `own`
void Engine::Impl::sleep(core::EventCount::Key key, const core::FutexWord* own, bool must_poll,
                         SleepBackOff& sleeps, std::uint64_t deadline_ns) noexcept {
  core::count(core::Counter::caller_sleeps);
  sleeps.begin_sleep();
  const auto length = [&](bool until_woken) {
    return limit_to_deadline(until_woken ? sleeps.next_until_woken() : sleeps.next(), deadline_ns);
  };
  if (own == nullptr && !has_wait_words()) {
    const std::int64_t timeout = length(!must_poll);
    const SleepScope sleep_scope(timeout);
    completions.wait(key, timeout);
    return;
  }
  // This thread does not check the conditions of suspended jobs until it wakes up.
  if (!must_poll && jobs.has_wait_words() && jobs.thread_may_poll()) wake_idle_thread();
  std::array<core::FutexWord, max_words> words;
  std::size_t count = 0;
  words[count++] = completions.futex_word(key);
  if (own != nullptr) words[count++] = *own;
  const PollSource::Words watched = wait_words(std::span(words).subspan(count), false);
  count += watched.count;
  if (!watched.found) {
    const std::int64_t timeout = length(!must_poll && watched.complete);
    const SleepScope sleep_scope(timeout);
    if (!core::futex_wait_any(std::span(words.data(), count), timeout)) {
      // The kernel has no futex_waitv: sleep on one word.
      core::futex_wait(const_cast<std::atomic<std::uint32_t>&>(*words[count - 1].word),
                       words[count - 1].expected, words[count - 1].shared, sleeps.next());
    }
  }
  completions.cancel();
}

/// As sleep_shared(), if jobs may have to run in the meantime, or other words may change.
bool Engine::Impl::sleep_shared_and_watch(SharedWord& word, FunctionRef<bool(std::uint32_t)> done,
                                          SleepBackOff& sleeps) noexcept {
  const auto key = completions.prepare();
  const bool must_poll = waiting_caller_must_poll();  // after registration, as in wait_until_done()
  word.sleepers.fetch_add(1, std::memory_order_seq_cst);
  const std::uint32_t value = word.value.load(std::memory_order_seq_cst);
  const bool arrived = done(value);
  if (arrived || !ready.empty() || may_run_jobs()) {
    completions.cancel();
  } else {
    const core::FutexWord own{&word.value, value, true};
    sleep(key, &own, must_poll, sleeps, no_deadline);
  }
  word.sleepers.fetch_sub(1, std::memory_order_relaxed);
  return arrived;
}

/// Sleeps until the word changes or a continuation is ready.
/// \returns whether the condition was true before the sleep
bool Engine::Impl::sleep_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done,
                                SleepBackOff& sleeps) noexcept {
  const auto key = arrivals.prepare();
  if (jobs.unfinished() != 0 || has_wait_words()) {
    arrivals.cancel();
    return sleep_shared_and_watch(word, done, sleeps);
  }
  const std::int64_t timeout =
      waiting_caller_must_poll() ? sleeps.next() : sleeps.next_until_woken();
  word.sleepers.fetch_add(1, std::memory_order_seq_cst);
  const std::uint32_t value = word.value.load(std::memory_order_seq_cst);
  const bool arrived = done(value);
  if (!arrived && ready.empty()) {
    core::count(core::Counter::caller_sleeps);
    sleeps.begin_sleep();
    const std::array words{core::FutexWord{&word.value, value, true}, arrivals.futex_word(key)};
    const SleepScope sleep_scope(timeout);
    if (!core::futex_wait_any(words, timeout))
      core::futex_wait(word.value, value, true, timeout < 0 ? single_word_sleep : timeout);
  }
  word.sleepers.fetch_sub(1, std::memory_order_relaxed);
  arrivals.cancel();
  return arrived;
}

}  // namespace dash::exec
