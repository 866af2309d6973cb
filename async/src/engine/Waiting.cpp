// Callers that wait: they spin and help, then sleep.

#include <sched.h>

#include <array>
#include <optional>
#include <span>

#include "engine/EngineImpl.h"
#include "base/TimeSlice.h"
#include "dash/Exception.h"
#include "dash/core/Clock.h"
#include "dash/core/Pooled.h"

namespace dash::exec {

namespace {

/// Bound of the sleep of a caller that polls.
constexpr std::uint64_t longest_nap = 500 * microsecond;
/// Bound of a sleep on a shared word where the system cannot wait for continuations besides.
constexpr std::int64_t continuation_nap = 1000 * microsecond;
/// Polls of a spinning caller before it looks at the clock, and whether anything moves.
constexpr int polls_between_looks = 8;
/// Looks at a word that another unit changes, before a poll: a fraction of a microsecond, in which who
/// does the same at the same time has mostly come, while a poll would be in the way.
constexpr int first_looks = 8;

/// Yields of a caller, whose unit shares its processors, before it sleeps.
constexpr int most_yields = 32;
/// A yield that took longer was to somebody who computes.
constexpr std::uint64_t longest_turn = 20 * microsecond;
/// The same where those in between may have polled, each for some microseconds.
constexpr std::uint64_t longest_polling_turn = 1000 * microsecond;

/// The length of a sleep without end.
constexpr std::int64_t forever = -1;

constinit thread_local TimedSleep caller_nap;

/// A sleep of a caller, to the end of the scope.
class Sleep {
 public:
  explicit Sleep(std::int64_t timeout_ns) noexcept : _watched(caller_nap, timeout_ns) {
    if (timeout_ns >= 0) _punctual.emplace();
  }

 private:
  std::optional<TimerSlackGuard> _punctual;
  TimedSleep::Watched _watched;
};

/// Of a sleep and the time left until the deadline.
std::int64_t shorter(std::int64_t length, std::uint64_t deadline_ns) noexcept {
  if (deadline_ns == never) return length;
  const std::uint64_t now = core::now_ns();
  const std::uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
  return length < 0 ? static_cast<std::int64_t>(left)
                    : static_cast<std::int64_t>(std::min(static_cast<std::uint64_t>(length), left));
}

}  // namespace

bool Engine::Impl::hand_continuations_to_jobs() noexcept {
  class Handed final : public Job, public core::Pooled {
   public:
    explicit Handed(Continuation& continuation) noexcept : _continuation(continuation) {}
    void run() noexcept override {
      _continuation.run();
      delete this;
    }

   private:
    Continuation& _continuation;
  };
  bool any = false;
  while (Continuation* const continuation = ready.pop()) {
    jobs.expect();
    jobs.submit(*new Handed(*continuation));
    any = true;
  }
  return any;
}

void Engine::Impl::check_may_wait() const {
  if (is_progress_thread) {
    throw exception::RuntimeError(
        "a wait on the progress thread can never end; wait on a thread of the application, or "
        "use then()");
  }
}

/// Where only one source has anything to do, and can look for what is awaited by itself, it does: a round
/// through everything that may have to be done takes as long as a small message.
template <class Done>
bool Engine::Impl::look_first(const Done& done) noexcept {
  if (looking.empty()) return false;
  for (PolledSource* const source : looking)
    source->caller_waits();
  if (options.caller_spin_ns == 0 || in_job()) return false;
  PolledSource* const first = looking.front();
  for (const PollSource* const source : sources) {
    if ((source->demand() != Demand::none) != (source == first)) return false;
  }
  first->look_for([&] { return done() || !ready.looks_empty() || may_run_jobs(); });
  return done();
}

/// Helps and spins until done, for at most the configured time without success; longer while
/// something moves, which is when it polls densely: what a source does for a peer mostly shows
/// nowhere but there.
template <class Done>
bool Engine::Impl::spin_until(const Done& done, Wait& wait, std::uint64_t deadline_ns) noexcept {
  std::uint64_t begin = 0;
  while (true) {
    for (int i = 0; i < polls_between_looks;) {
      const bool did = progress() | run_jobs(done);
      if (did) wait.helps();
      if (done()) return true;
      if (did) {
        begin = 0;
        if (deadline_ns != never && core::now_ns() >= deadline_ns) return false;
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

/// Where units share processors, those that exchange a little at each step need all others to run in
/// between: a turn of yields takes a microsecond a unit, a sleep and who wakes the sleeper ten. It ends
/// as soon as a yield has let somebody compute, or this thread has something else to do.
template <class Done>
bool Engine::Impl::yield_until(const Done& done, Wait& wait) noexcept {
  if (!options.caller_yields) return false;
  std::uint64_t before = core::now_ns();
  wait.spins(before);
  for (int i = 0; i < most_yields; ++i) {
    if (!ready.looks_empty() || may_run_jobs() || waiting_caller_polls()) return false;
    sched_yield();
    const std::uint64_t now = core::now_ns();
    wait.spins(now);
    if (done()) return true;
    if (now - before > longest_turn) return false;
    before = now;
  }
  return false;
}

/// The same, with a poll after each yield. What it finds mostly is a step of something, the next of
/// which follows soon: then it begins again.
template <class Done>
bool Engine::Impl::yield_and_poll_until(const Done& done, Wait& wait,
                                        std::uint64_t deadline_ns) noexcept {
  if (!options.caller_yields) return false;
  int in_vain = 0;
  while (in_vain < most_yields) {
    const std::uint64_t before = core::now_ns();
    if (before >= deadline_ns) return false;
    sched_yield();
    const std::uint64_t now = core::now_ns();
    wait.spins(now);
    const bool did = progress() | run_jobs(done);
    if (done()) return true;
    if (now - before > longest_polling_turn) return false;
    if (did) wait.helps();
    in_vain = did ? 0 : in_vain + 1;
  }
  return false;
}

/// The end of a wait.
class Engine::Impl::Leaving {
 public:
  Leaving(Impl& engine, const Wait& wait) noexcept : _engine(engine), _wait(wait) {}
  ~Leaving() { _engine.caller_leaves(_wait.was_short()); }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;

 private:
  Impl& _engine;
  const Wait& _wait;
};

/// The sleeps of a wait. Where the caller polls in between they grow until something is found, and
/// from the first one on the processor is free for others' threads.
class Engine::Impl::Nap {
 public:
  explicit Nap(Impl& engine) noexcept : _engine(engine) {}

  void begins() noexcept {
    if (!_asleep) _asleep.emplace(*_engine.load, _engine.own_processors());
  }
  /// Something is to be done that takes longer than a poll.
  void ends() noexcept { _asleep.reset(); }

  void restart() noexcept { _length = 0; }
  std::int64_t next() noexcept {
    const bool moves = _engine.moves_by_polls();
    // On a processor of its own it is in nobody's way but other units' threads', which nap, too.
    const bool alone = !_engine.options.main_processors.empty();
    const std::uint64_t longer = moves && alone ? 0 : 2 * _length;
    _length = std::clamp(longer, caller_nap.ns(), moves ? longest_crowded_nap : longest_nap);
    return static_cast<std::int64_t>(_length);
  }

 private:
  Impl& _engine;
  std::optional<Asleep> _asleep;
  std::uint64_t _length = 0;
};

/// Between two sleeps. \returns whether something moves that is not over
bool Engine::Impl::look_about(FunctionRef<bool()> enough, Nap& nap) noexcept {
  if (!ready.empty() || may_run_jobs()) nap.ends();
  const bool advanced = progress();
  const bool ran = run_jobs(enough);
  if (advanced || ran) nap.restart();
  // Woken by what was served for a peer, or for a job, which go on: sleeping would slow them down.
  const bool moves = ran || busy();
  if (moves) nap.ends();
  return moves;
}

bool Engine::Impl::wait_until(FunctionRef<bool()> done, std::uint64_t deadline_ns) {
  if (done()) {
    core::count(core::Counter::waits_ready);
    return true;
  }
  check_may_wait();
  Wait wait("wait");
  const Leaving leaving(*this, wait);
  const bool is_timed = deadline_ns != never;
  const auto timed_out = [&] { return is_timed && core::now_ns() >= deadline_ns; };
  if (jobs.suspend_until([&] { return done() || timed_out(); })) {
    wait.set_aside();
    return done();
  }
  const auto spin_or_yield = [&] {
    return spin_until(done, wait, deadline_ns) || yield_and_poll_until(done, wait, deadline_ns);
  };
  if (look_first(done) || spin_or_yield()) return true;
  Nap nap(*this);
  while (!timed_out()) {
    const bool poll_myself = waiting_caller_polls();
    const auto key = completions.prepare();
    if (done()) {
      completions.cancel();
      return true;
    }
    if (!ready.empty() || may_run_jobs()) {
      completions.cancel();
    } else {
      wait.sleeps();
      sleep(key, nullptr, poll_myself, nap, deadline_ns);
    }
    const bool moves = look_about(done, nap);
    if (done() || (moves && spin_or_yield())) return true;
  }
  return false;
}

void Engine::Impl::wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done) {
  const auto arrived = [&] { return done(word.value.load(std::memory_order_acquire)); };
  if (arrived()) return core::count(core::Counter::waits_ready);
  check_may_wait();
  Wait wait("wait for a unit");
  const Leaving leaving(*this, wait);
  // Jobs, too: to set one aside takes longer.
  for (int i = 0; i < first_looks && options.caller_spin_ns != 0; ++i) {
    core::cpu_relax();
    if (arrived()) return;
  }
  if (in_job()) {
    // A thread that sleeps may do so on the word, too, for this job.
    word.sleepers.fetch_add(1, std::memory_order_seq_cst);
    const bool suspended = jobs.suspend_until(arrived, &word.value);
    word.sleepers.fetch_sub(1, std::memory_order_relaxed);
    if (suspended) return wait.set_aside();
  }
  const auto spin_or_yield = [&] {
    return spin_until(arrived, wait) ||
           (waiting_caller_polls() && yield_and_poll_until(arrived, wait, never));
  };
  if (look_first(arrived) || yield_until(arrived, wait) || spin_or_yield()) return;
  Nap nap(*this);
  while (true) {
    wait.sleeps();
    if (sleep_shared(word, done, nap)) return;
    const bool moves = look_about(arrived, nap);
    if (arrived() || (moves && spin_or_yield())) return;
  }
}

bool Engine::Impl::watches() const noexcept {
  return std::any_of(sources.begin(), sources.end(), [this](const PollSource* source) {
    return source->watches() && !(source == &jobs && in_job());
  });
}

/// \param by_thread  for the progress thread, which not all sources want to watch for them
PollSource::Words Engine::Impl::words_to_sleep_on(std::span<core::FutexWord> words,
                                                  bool by_thread) noexcept {
  PollSource::Words all;
  for (PollSource* const source : sources) {
    if (!source->watches() || (source == &jobs && in_job())) continue;
    if (by_thread && !source->thread_watches()) continue;
    const PollSource::Words some = source->words_to_sleep_on(words.subspan(all.count));
    all.count += some.count;
    all.complete = all.complete && some.complete;
    all.found = all.found || some.found;
  }
  return all;
}

/// Sleeps until a completion, until `own` changes (if not null), or until what a source or a job
/// waits for may have come.
/// \pre the caller is registered in `completions`, and among the sleepers of `own`; ends the former
void Engine::Impl::sleep(core::EventCount::Key key, const core::FutexWord* own, bool poll_myself,
                         Nap& nap, std::uint64_t deadline_ns) noexcept {
  core::count(core::Counter::caller_sleeps);
  nap.begins();
  const auto longest = [&](bool may_last) {
    return shorter(may_last ? forever : nap.next(), deadline_ns);
  };
  if (own == nullptr && !watches()) {
    const std::int64_t timeout = longest(!poll_myself);
    const Sleep asleep_for(timeout);
    completions.wait(key, timeout);
    return;
  }
  std::array<core::FutexWord, most_words> words;
  std::size_t count = 0;
  words[count++] = completions.futex_word(key);
  if (own != nullptr) words[count++] = *own;
  const PollSource::Words watched = words_to_sleep_on(std::span(words).subspan(count), false);
  count += watched.count;
  if (!watched.found) {
    const std::int64_t timeout = longest(!poll_myself && watched.complete);
    const Sleep asleep_for(timeout);
    if (!core::futex_wait_any(std::span(words.data(), count), timeout)) {
      // An old system: one word at a time.
      core::futex_wait(const_cast<std::atomic<std::uint32_t>&>(*words[count - 1].word),
                       words[count - 1].expected, words[count - 1].shared, nap.next());
    }
  }
  completions.cancel();
}

/// As sleep_shared, where jobs may have to run meanwhile, or more words may change.
bool Engine::Impl::sleep_shared_and_watch(SharedWord& word, FunctionRef<bool(std::uint32_t)> done,
                                          Nap& nap) noexcept {
  const bool poll_myself = waiting_caller_polls();
  const auto key = completions.prepare();
  word.sleepers.fetch_add(1, std::memory_order_seq_cst);
  const std::uint32_t value = word.value.load(std::memory_order_seq_cst);
  const bool arrived = done(value);
  if (arrived || !ready.empty() || may_run_jobs()) {
    completions.cancel();
  } else {
    const core::FutexWord own{&word.value, value, true};
    sleep(key, &own, poll_myself, nap, never);
  }
  word.sleepers.fetch_sub(1, std::memory_order_relaxed);
  return arrived;
}

/// \returns whether done
bool Engine::Impl::sleep_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done,
                                Nap& nap) noexcept {
  if (jobs.unfinished() != 0 || watches()) return sleep_shared_and_watch(word, done, nap);
  const std::int64_t timeout = waiting_caller_polls() ? nap.next() : forever;
  const auto key = arrivals.prepare();
  word.sleepers.fetch_add(1, std::memory_order_seq_cst);
  const std::uint32_t value = word.value.load(std::memory_order_seq_cst);
  const bool arrived = done(value);
  if (!arrived && ready.empty()) {
    core::count(core::Counter::caller_sleeps);
    nap.begins();
    const std::array words{core::FutexWord{&word.value, value, true}, arrivals.futex_word(key)};
    const Sleep asleep_for(timeout);
    if (!core::futex_wait_any(words, timeout))
      core::futex_wait(word.value, value, true, timeout < 0 ? continuation_nap : timeout);
  }
  word.sleepers.fetch_sub(1, std::memory_order_relaxed);
  arrivals.cancel();
  return arrived;
}

}  // namespace dash::exec
