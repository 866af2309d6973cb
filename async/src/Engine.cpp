#include "dash/async/Engine.h"

#include <pthread.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "ContinuationQueue.h"
#include "CopyQueue.h"
#include "Scheduling.h"
#include "dash/Exception.h"
#include "dash/core/Clock.h"
#include "dash/core/Futex.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Spin.h"

// Who waits for whom:
//   - a caller sleeps on `completions` until a state of this process is done or a continuation is
//     ready, or on a SharedWord until another unit changes it;
//   - the thread sleeps on `work` until somebody notifies it, or until its next service is due.
// Both announce themselves, look again, then sleep; whoever changes something changes it, then looks
// for sleepers (EventCount, SharedWord).
//
// Whether the thread spins or sleeps is decided in idle(); the constants are explained in
// docs/decisions/001-waiting.md.

namespace dash::exec {

namespace {

constexpr std::uint64_t microsecond = 1000;
/// The thread's time slice. A thread that wakes runs at once if its slice is shorter than that of
/// who runs, else at the other's next tick (4 ms). So the thread takes a short one to interrupt
/// those who compute, for a poll, and a long one to be interrupted where it polls all the time.
constexpr std::uint64_t short_slice = 100 * microsecond;
constexpr std::uint64_t long_slice = 20'000 * microsecond;
/// Sleep between dense polls. One of less than 5 us often ends before it has begun.
constexpr std::int64_t dense_nap = 5 * microsecond;
/// Bounds of that sleep where every processor has a main thread that is awake, or one that polls.
constexpr std::uint64_t shortest_crowded_nap = 5 * microsecond;
constexpr std::uint64_t longest_crowded_nap = 100 * microsecond;
constexpr std::uint64_t shortest_doze = 100 * microsecond;
/// Bounds of the sleep of a caller that has nobody to poll for it.
constexpr std::uint64_t shortest_nap = 5 * microsecond;
constexpr std::uint64_t longest_nap = 500 * microsecond;
/// Bound of a sleep on a shared word while continuations are outstanding.
constexpr std::uint64_t continuation_nap = 1000 * microsecond;
/// Pauses between two polls: fewer slow down the main thread's own calls of MPI (docs/decisions/001-waiting.md).
constexpr int pauses_between_polls = 20;

/// Polls of a spinning caller before it looks at the clock, and whether anything moves.
constexpr int polls_between_looks = 8;

void pause_between_polls() noexcept {
  for (int i = 0; i < pauses_between_polls; ++i)
    core::cpu_relax();
}

thread_local bool is_progress_thread = false;
thread_local bool is_main_thread = false;

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

constexpr core::CpuSet no_processors;

}  // namespace

bool on_progress_thread() noexcept {
  return is_progress_thread;
}

struct Engine::Impl {
  Options options;
  HostLoad own_load;
  HostLoad* load = &own_load;

  CopyQueue copies;
  std::vector<PollSource*> sources{&copies};  // constant while the thread runs
  ContinuationQueue ready;
  std::atomic<std::int64_t> expected_continuations{0};
  core::EventCount completions;

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

  std::atomic<std::uint64_t> polls{0};
  std::atomic<std::uint64_t> useful_polls{0};
  std::atomic<std::uint64_t> parks{0};

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

  /// Whether something may need polling that no thread polls.
  bool caller_must_poll() const noexcept {
    const bool thread_helps = thread_runs.load(std::memory_order_relaxed);
    for (const PollSource* source : sources) {
      if (thread_helps && source->thread_may_poll()) continue;
      if (source->demand() != Demand::none) return true;
    }
    return false;
  }

  bool run_continuations() noexcept {
    bool did = false;
    while (Continuation* continuation = ready.pop()) {
      expected_continuations.fetch_sub(1, std::memory_order_relaxed);
      continuation->run();
      did = true;
    }
    return did;
  }

  bool progress() noexcept {
    const bool ran = !is_progress_thread && run_continuations();
    return poll_sources(false) || ran;
  }

  // --- the thread -----------------------------------------------------------------------------

  void run_thread() noexcept {
    is_progress_thread = true;
    pthread_setname_np(pthread_self(), "dash-progress");
    remove_timer_slack();
    take_slice(short_slice);
    bound_to = options.thread_processors;
    if (!bound_to.empty()) core::bind_this_thread(bound_to);
    settled_at = load->changes.load(std::memory_order_relaxed) - 1;
    load->awake.fetch_add(1, std::memory_order_relaxed);
    std::uint64_t last_useful = core::now_ns();
    while (!stop_thread.load(std::memory_order_acquire)) {
      polls.fetch_add(1, std::memory_order_relaxed);
      if (poll_sources(true)) {
        useful_polls.fetch_add(1, std::memory_order_relaxed);
        last_useful = core::now_ns();
        continue;
      }
      if (idle(last_useful)) last_useful = core::now_ns();
    }
    load->awake.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Nothing was found by the last poll: spin or sleep until the next.
  /// \returns whether a caller has left its polling to the thread
  bool idle(std::uint64_t last_useful) noexcept {
    const Demand demand = thread_demand();
    const std::uint64_t idle_for = core::now_ns() - last_useful;
    const bool room = load->awake.load(std::memory_order_relaxed) <= load->processors;
    if (demand == Demand::busy) {
      // Naps, not yields: units are in scheduling groups of their own (a session or control group
      // each), and a yield gives the processor to the caller's group only. Nor does it spin where
      // another unit's thread may be due, which does not count as awake before it has run.
      if (options.has_processor_to_spare) {
        pause_between_polls();
      } else if (settle()) {
        park(dense_nap);
      } else {
        return nap_in_crowd(idle_for);
      }
    } else if (demand == Demand::waiting) {
      // The longer the target is silent, the less often it is asked.
      park(std::min(idle_for / 8, options.service_interval_ns));
    } else if (demand == Demand::none && room && idle_for < options.thread_spin_ns && settle()) {
      take_slice(long_slice);
      pause_between_polls();
    } else {
      park(demand == Demand::service ? static_cast<std::int64_t>(options.service_interval_ns) : -1);
    }
    return false;
  }

  /// Each poll interrupts a main thread. For as long as callers poll, it is not needed.
  bool nap_in_crowd(std::uint64_t idle_for) noexcept {
    if (!callers_poll()) {
      park(std::clamp(idle_for / 4, shortest_crowded_nap, longest_crowded_nap));
      return false;
    }
    const std::uint64_t longest = std::max(shortest_doze, options.service_interval_ns);
    const std::uint64_t doze = std::clamp(idle_for / 2, shortest_doze, longest);
    doze_ns.store(doze, std::memory_order_relaxed);
    park(static_cast<std::int64_t>(doze));
    return doze_ns.exchange(0, std::memory_order_relaxed) == 0;
  }

  /// Ends a doze that was to last longer than that.
  void end_doze(std::uint64_t longer_than_ns) noexcept {
    if (doze_ns.load(std::memory_order_relaxed) <= longer_than_ns) return;
    doze_ns.store(0, std::memory_order_relaxed);
    work.notify_all();
  }

  void take_slice(std::uint64_t wanted) noexcept {
    if (slice == wanted) return;
    slice = wanted;
    set_time_slice(wanted);
  }

  void park(std::int64_t timeout_ns) noexcept {
    take_slice(short_slice);
    const auto key = work.prepare();
    // Work that came before we announced ourselves would not wake us.
    if (stop_thread.load(std::memory_order_acquire) ||
        (timeout_ns < 0 && thread_demand() != Demand::none)) {
      work.cancel();
      return;
    }
    parks.fetch_add(1, std::memory_order_relaxed);
    Asleep asleep(*load, no_processors);
    work.wait(key, timeout_ns);
  }

  /// Keeps off the processors whose main threads are awake, if any other is left.
  /// \returns whether one is, for certain
  bool settle() noexcept {
    if (options.main_processors.empty()) {
      return load->awake.load(std::memory_order_relaxed) <= load->processors;
    }
    const std::uint32_t now = load->changes.load(std::memory_order_acquire);
    if (now == settled_at) return settled;
    settled_at = now;
    const core::CpuSet vacant = load->vacant(options.thread_processors);
    settled = !vacant.empty();
    const core::CpuSet& wanted = settled ? vacant : options.thread_processors;
    if (!(wanted == bound_to)) {
      core::bind_this_thread(wanted);
      bound_to = wanted;
    }
    return settled;
  }

  // --- callers --------------------------------------------------------------------------------

  const core::CpuSet& own_processors() const noexcept {
    return is_main_thread ? options.main_processors : no_processors;
  }

  void check_may_wait() const {
    if (is_progress_thread) {
      throw exception::RuntimeError(
          "a wait on the progress thread can never end; wait on a thread of the application, or "
          "use then()");
    }
  }

  /// Whether something moves, here or at a peer, as fast as it is polled.
  bool busy() const noexcept {
    return std::any_of(sources.begin(), sources.end(),
                       [](const PollSource* source) { return source->demand() == Demand::busy; });
  }

  /// Helps and spins until done, for at most the configured time without success; longer while
  /// something moves, which is when it polls densely: what a source does for a peer mostly shows
  /// nowhere but there.
  template <class Done>
  bool spin_until(const Done& done) noexcept {
    std::uint64_t begin = 0;
    while (true) {
      for (int i = 0; i < polls_between_looks;) {
        const bool did = progress();
        if (done()) return true;
        if (did) {
          begin = 0;
        } else {
          ++i;
        }
      }
      if (options.caller_spin_ns == 0) return false;
      const std::uint64_t now = core::now_ns();
      if (begin == 0) begin = now;
      if (busy()) continue;
      for (int i = 0; i < pauses_between_polls; ++i) {
        core::cpu_relax();
        if (done()) return true;
      }
      if (now - begin > options.caller_spin_ns) return false;
    }
  }

  /// The sleep of a caller that polls for itself: grows until something is found.
  class Nap {
   public:
    void restart() noexcept { _length = shortest_nap; }
    std::int64_t next() noexcept {
      const std::uint64_t length = _length;
      _length = std::min(2 * _length, longest_nap);
      return static_cast<std::int64_t>(length);
    }

   private:
    std::uint64_t _length = shortest_nap;
  };

  void wait_until(FunctionRef<bool()> done) {
    if (done()) return;
    check_may_wait();
    if (spin_until(done)) return;
    Nap nap;
    while (true) {
      const bool poll_myself = caller_must_poll();
      const auto key = completions.prepare();
      if (done()) {
        completions.cancel();
        return;
      }
      if (!ready.empty()) {
        completions.cancel();
      } else {
        Asleep asleep(*load, own_processors());
        completions.wait(key, poll_myself ? nap.next() : -1);
      }
      if (progress()) nap.restart();
      if (done()) return;
      // Woken by what was served for a peer, which goes on: sleeping would slow it down.
      if (busy() && spin_until(done)) return;
    }
  }

  void wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done) {
    const auto arrived = [&] { return done(word.value.load(std::memory_order_acquire)); };
    if (arrived()) return;
    check_may_wait();
    if (spin_until(arrived)) return;
    Nap nap;
    while (true) {
      if (sleep_shared(word, done, nap)) return;
      if (progress()) nap.restart();
      if (arrived()) return;
      if (busy() && spin_until(arrived)) return;
    }
  }

  /// \returns whether done
  bool sleep_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done, Nap& nap) noexcept {
    std::int64_t timeout = -1;
    if (caller_must_poll()) {
      timeout = nap.next();
    } else if (expected_continuations.load(std::memory_order_relaxed) != 0) {
      timeout = continuation_nap;
    }
    word.sleepers.fetch_add(1, std::memory_order_seq_cst);
    const std::uint32_t value = word.value.load(std::memory_order_seq_cst);
    const bool arrived = done(value);
    if (!arrived) {
      Asleep asleep(*load, own_processors());
      core::futex_wait(word.value, value, true, timeout);
    }
    word.sleepers.fetch_sub(1, std::memory_order_relaxed);
    return arrived;
  }
};

Engine::Engine() : _impl(std::make_unique<Impl>()) {}
Engine::~Engine() = default;

Engine& Engine::instance() {
  // Never destroyed: threads of the application may still complete states at exit.
  static Engine* const engine = new Engine();
  return *engine;
}

void Engine::start(const Options& options) {
  _impl->options = options;
  _impl->load = options.host_load != nullptr ? options.host_load : &_impl->own_load;
  _impl->load->awake.fetch_add(1, std::memory_order_relaxed);
  _impl->load->occupy(options.main_processors);
  is_main_thread = true;
  if (options.mode == core::ProgressMode::poll) return;
  _impl->stop_thread.store(false, std::memory_order_relaxed);
  _impl->thread_runs.store(true, std::memory_order_relaxed);
  _impl->thread = std::thread([this] { _impl->run_thread(); });
}

void Engine::stop() noexcept {
  if (_impl->thread.joinable()) {
    _impl->stop_thread.store(true, std::memory_order_seq_cst);
    _impl->work.notify_all();
    _impl->thread.join();
    _impl->thread_runs.store(false, std::memory_order_relaxed);
  }
  _impl->run_continuations();
  is_main_thread = false;
  _impl->load->vacate(_impl->options.main_processors);
  _impl->load->awake.fetch_sub(1, std::memory_order_relaxed);
  _impl->load = &_impl->own_load;
  _impl->options = {};
}

bool Engine::has_thread() const noexcept {
  return _impl->thread_runs.load(std::memory_order_relaxed);
}

void Engine::add_source(PollSource& source) {
  _impl->sources.push_back(&source);
}

void Engine::remove_source(PollSource& source) noexcept {
  std::erase(_impl->sources, &source);
}

Operation Engine::copy_async(void* dest, const void* src, std::size_t nbytes) {
  Operation operation = _impl->copies.submit(dest, src, nbytes);
  notify();
  return operation;
}

void Engine::notify() noexcept {
  _impl->work.notify_all();
}
void Engine::take_over() noexcept {
  _impl->end_doze(0);
}
bool Engine::progress() noexcept {
  return _impl->progress();
}
void Engine::wait_until(FunctionRef<bool()> done) {
  core::before_other_processes();
  _impl->wait_until(done);
  _impl->end_doze(longest_crowded_nap);
  core::after_other_processes();
}
void Engine::wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done) {
  core::before_other_processes();
  _impl->wait_shared(word, done);
  _impl->end_doze(longest_crowded_nap);
  core::after_other_processes();
}

void Engine::completed() noexcept {
  _impl->completions.notify_all();
}

void Engine::post(Continuation& continuation) noexcept {
  _impl->ready.push(continuation);
}

void Engine::expect_continuation() noexcept {
  _impl->expected_continuations.fetch_add(1, std::memory_order_relaxed);
}

EngineStatistics Engine::statistics() const noexcept {
  return {_impl->polls.load(std::memory_order_relaxed),
          _impl->useful_polls.load(std::memory_order_relaxed),
          _impl->parks.load(std::memory_order_relaxed)};
}

}  // namespace dash::exec
