// The thread of the engine: polls, and decides between polls whether to spin or to sleep.

#include <pthread.h>

#include <array>
#include <span>

#include "engine/EngineImpl.h"
#include "base/TimeSlice.h"
#include "dash/core/Clock.h"
#include "dash/core/Trace.h"

namespace dash::exec {

namespace {

/// The thread's time slice. A thread that wakes runs at once if its slice is shorter than that of
/// who runs, else at the other's next tick (4 ms). So the thread takes a short one to interrupt
/// those who compute, for a poll, and a long one to be interrupted where it polls all the time.
constexpr std::uint64_t short_slice = 100 * microsecond;
constexpr std::uint64_t long_slice = 20'000 * microsecond;
/// Of the sleep between two polls while callers poll.
constexpr std::uint64_t shortest_doze = 100 * microsecond;
constexpr std::uint64_t longest_doze = 2000 * microsecond;

void pause_between_polls() noexcept {
  for (int i = 0; i < pauses_between_polls; ++i)
    core::cpu_relax();
}

}  // namespace

void Engine::Impl::run_thread() noexcept {
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
    core::count(core::Counter::thread_polls);
    const std::uint64_t begin = core::tracing() ? core::now_ns() : 0;
    copies.set_crowded(crowded());
    if (poll_sources(true)) {
      if (begin != 0) {
        rest.ends();
        core::trace_span(core::TraceKind::progress, "poll", begin, core::now_ns());
      }
      core::count(core::Counter::useful_thread_polls);
      last_useful = core::now_ns();
      continue;
    }
    if (idle(last_useful)) last_useful = core::now_ns();
  }
  rest.ends();
  load->awake.fetch_sub(1, std::memory_order_relaxed);
}

/// Nothing was found by the last poll: spin or sleep until the next.
/// \returns whether a caller has left its polling to the thread
bool Engine::Impl::idle(std::uint64_t last_useful) noexcept {
  const Demand demand = thread_demand();
  const std::uint64_t idle_for = core::now_ns() - last_useful;
  const bool room = load->awake.load(std::memory_order_relaxed) <= load->processors;
  const bool may_spin = room && idle_for < options.thread_spin_ns;
  if (demand == Demand::busy) {
    // Naps, not yields: units are in scheduling groups of their own (a session or control group
    // each), and a yield gives the processor to the caller's group only. Nor does it spin where
    // another unit's thread may be due, which does not count as awake before it has run.
    if (options.has_processor_to_spare) {
      pause_between_polls();
    } else if (callers_poll_enough()) {
      return doze(idle_for);
    } else if (settle()) {
      if (may_spin && !moves_by_polls()) {
        spin();
      } else {
        park(static_cast<std::int64_t>(thread_nap.ns()));
      }
    } else {
      return nap_in_crowd(idle_for);
    }
  } else if (demand == Demand::waiting && !options.has_processor_to_spare &&
             callers_poll_enough()) {
    return doze(idle_for);
  } else if (demand == Demand::waiting) {
    // The longer the target is silent, the less often it is asked.
    const std::uint64_t longest = std::max(thread_nap.ns(), options.service_interval_ns);
    park(static_cast<std::int64_t>(std::clamp(idle_for / 8, thread_nap.ns(), longest)));
  } else if (demand == Demand::none && may_spin && settle()) {
    spin();
  } else if (demand == Demand::none && copies.callers_poll() && crowded()) {
    return nap_in_crowd(idle_for);  // the next copy need not wake it
  } else {
    park(demand == Demand::service ? static_cast<std::int64_t>(options.service_interval_ns) : -1);
  }
  return false;
}

/// Each poll interrupts a main thread.
bool Engine::Impl::nap_in_crowd(std::uint64_t idle_for) noexcept {
  if (callers_poll()) return doze(idle_for);
  const std::uint64_t nap = moves_much() || !moves_by_polls() ? idle_for / 4 : idle_for;
  const std::uint64_t longest = std::max(longest_crowded_nap, options.service_interval_ns);
  park(static_cast<std::int64_t>(std::clamp(nap, thread_nap.ns(), longest)));
  return false;
}

/// For as long as callers poll, it is not needed: the longer they have, the longer it sleeps.
bool Engine::Impl::doze(std::uint64_t idle_for) noexcept {
  const bool enough = callers_poll_enough();
  const std::uint64_t shortest = enough ? options.service_interval_ns : shortest_doze;
  const std::uint64_t longest =
      std::max(shortest, enough ? longest_doze : options.service_interval_ns);
  const std::uint64_t doze = std::clamp(idle_for / 2, shortest, longest);
  doze_ns.store(doze, std::memory_order_relaxed);
  park(static_cast<std::int64_t>(doze));
  return doze_ns.exchange(0, std::memory_order_seq_cst) == 0;
}

/// Beside nobody, who interrupts it if that changes.
void Engine::Impl::spin() noexcept {
  take_slice(long_slice);
  pause_between_polls();
}

void Engine::Impl::take_slice(std::uint64_t wanted) noexcept {
  if (slice == wanted) return;
  slice = wanted;
  set_time_slice(wanted);
}

void Engine::Impl::park(std::int64_t timeout_ns) noexcept {
  take_slice(short_slice);
  const auto key = work.prepare();
  // Work that came before we announced ourselves would not wake us.
  if (stop_thread.load(std::memory_order_acquire) ||
      (timeout_ns < 0 && thread_demand() != Demand::none)) {
    work.cancel();
    return;
  }
  std::array<core::FutexWord, most_words> words;
  words[0] = work.futex_word(key);
  const PollSource::Words watched = words_to_sleep_on(std::span(words).subspan(1), true);
  if (watched.found) {
    work.cancel();
    return;
  }
  core::count(timeout_ns < 0 ? core::Counter::thread_parks : core::Counter::thread_naps);
  Asleep asleep(*load, no_processors);
  rest.sleeps();
  const TimedSleep::Watched watched_nap(thread_nap, timeout_ns);
  const auto service_interval = static_cast<std::int64_t>(options.service_interval_ns);
  if (!watched.complete && timeout_ns < 0) timeout_ns = service_interval;
  if (watched.count == 0) {
    work.wait(key, timeout_ns);
  } else if (core::futex_wait_any(std::span(words.data(), 1 + watched.count), timeout_ns)) {
    work.cancel();
  } else {
    work.wait(key, service_interval);  // an old system
  }
  rest.wakes();
}

/// Keeps off the processors whose main threads are awake, if any other is left.
/// \returns whether one is, for certain
bool Engine::Impl::settle() noexcept {
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

}  // namespace dash::exec
