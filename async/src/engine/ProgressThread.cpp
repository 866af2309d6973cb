// The progress thread: it polls, and between polls it spins or sleeps.

#include <pthread.h>

#include <array>
#include <span>

#include "base/TimeSlice.h"
#include "dash/core/Clock.h"
#include "dash/core/Topology.h"
#include "dash/core/Trace.h"
#include "engine/EngineImpl.h"

namespace dash::exec {

namespace {

/// Time slices of the progress thread. A woken thread runs at once if its slice is shorter than the
/// running thread's, else at the next tick (4 ms). The progress thread takes a short slice if it
/// has to interrupt a computing thread to poll, and a long one while it polls all the time, so that
/// other threads can interrupt it.
constexpr std::uint64_t short_slice = 100 * microsecond;
constexpr std::uint64_t long_slice = 20'000 * microsecond;
/// Sleep between two checks whether callers still poll.
constexpr std::uint64_t back_off_sleep = 1000 * microsecond;
/// The same after several checks in a row have found that callers had just polled: they probably continue.
constexpr std::uint64_t long_back_off_sleep = 2000 * microsecond;
constexpr unsigned checks_before_long_back_off = 4;
/// Sleeps grow at most by this factor where threads share processors.
constexpr int largest_sleep_factor = 8;
/// Number of polls without work after which the thread polls for other units less often.
constexpr unsigned idle_polls_before_long_sleep = 4;
/// Longest sleep between two polls that serve other units.
constexpr std::uint64_t longest_service_sleep = 1000 * microsecond;
/// The same, if other units wake the thread. It polls nevertheless, for MPI calls of the application, which wake no
/// thread, and in case MPI has delayed a message.
constexpr std::int64_t longest_woken_sleep = 20'000 * microsecond;

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
  // Relaxed: this value differs from the number, so choose_processors() loads the number again, with acquire.
  placed_at = load->changes.load(std::memory_order_relaxed) - 1;
  load->awake.fetch_add(1, std::memory_order_relaxed);
  std::uint64_t last_useful = core::now_ns();
  while (!stop_thread.load(std::memory_order_acquire)) {
    core::count(core::Counter::thread_polls);
    const std::uint64_t begin = core::tracing() ? core::now_ns() : 0;
    copies.set_no_idle_processor(no_idle_processor());
    if (poll_sources(true)) {
      if (begin != 0) {
        idle_span.finish();
        core::trace_span(core::TraceKind::progress, "poll", begin, core::now_ns());
      }
      core::count(core::Counter::useful_thread_polls);
      idle_polls = 0;
      last_useful = core::now_ns();
      continue;
    }
    if (!callers_poll_enough()) ++idle_polls;
    if (wait_for_work(last_useful)) last_useful = core::now_ns();
  }
  idle_span.finish();
  load->awake.fetch_sub(1, std::memory_order_relaxed);
}

/// Spins or sleeps until the next poll, after a poll that has found nothing.
/// \returns whether the time without work begins again: a caller that polled has left the polling to the thread, or
///          a source has found work
bool Engine::Impl::wait_for_work(std::uint64_t last_useful) noexcept {
  const Demand demand = thread_demand();
  const std::uint64_t idle_for = core::now_ns() - last_useful;
  const bool has_idle_processor = host_has_idle_processor();
  const bool may_spin = has_idle_processor && idle_for < options.thread_spin_ns;
  if (demand != Demand::none && !has_processor_to_spare() && callers_poll_enough())
    return back_off(idle_for);
  if (demand == Demand::busy) {
    // Sleeps rather than yields: each unit is in a separate scheduling group (a session or control
    // group), and a yield gives the processor to the caller's group only. The thread does not spin if
    // another unit's thread may be runnable: a woken thread counts as awake only once it has run.
    if (has_processor_to_spare()) {
      pause_between_polls();
    } else if (shortest_poll_interval_ns() == 0) {
      return park(static_cast<std::int64_t>(service_sleep_ns()));
    } else if (choose_processors()) {
      if (may_spin && !progresses_by_polling()) {
        spin();
      } else {
        park(static_cast<std::int64_t>(shortest_sleep.ns()));
      }
    } else {
      return sleep_without_idle_processor(idle_for);
    }
  } else if (demand == Demand::waiting) {
    // The longer the target is silent, the less often the thread polls.
    const std::uint64_t longest = std::max(shortest_sleep.ns(), service_sleep_ns());
    park(static_cast<std::int64_t>(std::clamp(idle_for / 8, shortest_sleep.ns(), longest)));
  } else if (demand == Demand::none && may_spin && choose_processors()) {
    spin();
  } else if (demand == Demand::none && copies.polled_by_callers() && no_idle_processor()) {
    // In this state, callers that start a copy do not wake the thread.
    return sleep_without_idle_processor(idle_for);
  } else if (demand == Demand::service) {
    return park(static_cast<std::int64_t>(service_sleep_ns()), Watched::service);
  } else {
    return park(-1);
  }
  return false;
}

/// The other runnable threads of the units of the host, divided by its processors, from 1 to 8. Sleeps grow by this
/// factor: all progress threads together then take the same share of the processors, however many units there are.
std::uint64_t Engine::Impl::sleep_factor() const noexcept {
  const std::int32_t others = load->awake.load(std::memory_order_relaxed) - 1;
  return static_cast<std::uint64_t>(
      std::clamp(others / std::max(load->processors, 1), 1, largest_sleep_factor));
}

/// The sleep of a thread that polls only to serve other units. It is longer after polls that have found nothing.
std::uint64_t Engine::Impl::service_sleep_ns() const noexcept {
  const std::uint64_t length = idle_polls < idle_polls_before_long_sleep
                                   ? options.service_interval_ns
                                   : std::max(options.service_interval_ns, longest_service_sleep);
  return length * sleep_factor();
}

/// Sleeps until the next poll, in the state in which each poll interrupts a main thread.
/// \returns as wait_for_work()
bool Engine::Impl::sleep_without_idle_processor(std::uint64_t idle_for) noexcept {
  if (callers_poll()) return back_off(idle_for);
  park(static_cast<std::int64_t>(interrupting_sleep_ns(idle_for)));
  return false;
}

/// The sleep between two polls that both interrupt a main thread. It grows while polls find nothing.
std::uint64_t Engine::Impl::interrupting_sleep_ns(std::uint64_t idle_for) const noexcept {
  const std::uint64_t wanted = shortest_poll_interval_ns();
  const std::uint64_t shortest = wanted != 0 ? wanted : large_operation_poll_ns;
  const std::uint64_t longest = std::max(shortest, options.service_interval_ns);
  return std::clamp(idle_for, shortest, longest) * sleep_factor();
}

/// The sleep of a thread that relies on polling callers. After a long sleep, a caller may have polled at its beginning
/// only, and the next check follows soon.
std::uint64_t Engine::Impl::back_off_sleep_ns() noexcept {
  const bool was_long = back_offs > checks_before_long_back_off;
  back_offs = callers_poll_now() ? back_offs + 1 : 0;
  if (back_offs > checks_before_long_back_off)
    return std::max(long_back_off_sleep, options.service_interval_ns);
  return was_long ? options.service_interval_ns
                  : std::max(back_off_sleep, options.service_interval_ns);
}

/// Sleeps while callers poll.
/// \returns whether a caller has ended the sleep because it stops polling
bool Engine::Impl::back_off(std::uint64_t idle_for) noexcept {
  const bool enough = callers_poll_enough();
  const std::uint64_t length =
      enough ? back_off_sleep_ns() * sleep_factor() : interrupting_sleep_ns(idle_for);
  backed_off_ns.store(length, std::memory_order_relaxed);
  park(static_cast<std::int64_t>(length), enough ? Watched::nothing : Watched::words);
  const bool ended_by_caller = backed_off_ns.exchange(0, std::memory_order_seq_cst) == 0;
  // The sources skip one poll because that caller has polled since the last one.
  if (ended_by_caller && poll_sources(true)) idle_polls = 0;
  return ended_by_caller;
}

/// Pauses without sleeping, on a processor that no other thread uses. The long slice lets a thread that
/// wakes there interrupt this one.
void Engine::Impl::spin() noexcept {
  take_slice(long_slice);
  pause_between_polls();
}

void Engine::Impl::take_slice(std::uint64_t wanted) noexcept {
  if (slice == wanted) return;
  slice = wanted;
  set_time_slice(wanted);
}

/// The service words of the sources that need service. None if one of these has to be polled.
PollSource::Words Engine::Impl::service_words(std::span<core::FutexWord> words) noexcept {
  PollSource::Words all;
  for (PollSource* const source : sources) {
    if (!source->thread_may_poll() || source->demand() != Demand::service) continue;
    const PollSource::Words part = source->service_words(words.subspan(all.count));
    if (part.found || part.count == 0) return part;
    all.count += part.count;
  }
  return all;
}

/// Sleeps until the thread is notified, a watched word of a source changes, or the time is over.
/// \param timeout_ns  negative for none
/// \returns whether a source has found work, so that the thread did not sleep
bool Engine::Impl::park(std::int64_t timeout_ns, Watched what) noexcept {
  take_slice(short_slice);
  const auto key = work.prepare();
  recheck_requested.exchange(false, std::memory_order_acq_rel);
  sleeps_without_timeout.store(timeout_ns < 0, std::memory_order_seq_cst);
  // Work that arrived before this thread registered as a sleeper does not wake it.
  if (stop_thread.load(std::memory_order_acquire) ||
      (timeout_ns < 0 && thread_demand() != Demand::none)) {
    work.cancel();
    return false;
  }
  std::array<core::FutexWord, max_words> words;
  words[0] = work.futex_word(key);
  PollSource::Words watched;
  if (what != Watched::nothing) watched = wait_words(std::span(words).subspan(1), true);
  if (what == Watched::service && !watched.found) {
    const PollSource::Words service = service_words(std::span(words).subspan(1 + watched.count));
    if (service.count != 0) timeout_ns = longest_woken_sleep;
    watched.count += service.count;
    watched.found = service.found;
  }
  if (watched.found) {
    work.cancel();
    return true;
  }
  count_processor_time();
  core::count(timeout_ns < 0 ? core::Counter::thread_parks : core::Counter::thread_sleeps);
  const SleepRegistration registration(*load, no_processors);
  idle_span.begin_sleep();
  const TimedSleep::Observer observer(shortest_sleep, timeout_ns);
  const auto service_interval = static_cast<std::int64_t>(options.service_interval_ns);
  if (!watched.complete && timeout_ns < 0) timeout_ns = service_interval;
  if (watched.count == 0) {
    work.wait(key, timeout_ns);
  } else if (core::futex_wait_any(std::span(words.data(), 1 + watched.count), timeout_ns)) {
    work.cancel();
  } else {
    work.wait(key, service_interval);  // the kernel has no futex_waitv
  }
  idle_span.end_sleep();
  return false;
}

/// Adds the processor time since the last call to the statistics.
void Engine::Impl::count_processor_time() noexcept {
  if (!core::counting()) [[likely]] {
    counted_ns = 0;
    return;
  }
  const std::uint64_t now = core::thread_processor_ns();
  if (counted_ns != 0) core::count(core::Counter::thread_ns, now - counted_ns);
  counted_ns = now;
}

/// Whether fewer threads compute than the host has processors. Workers of other units are not counted.
bool Engine::Impl::host_has_idle_processor() const noexcept {
  return load->awake.load(std::memory_order_relaxed) + active_workers() <= load->processors;
}

/// Binds the thread to processors whose main threads are not awake, or to that of its unit if there are none. On the
/// processor of another unit, that unit could preempt it while it holds the locks of MPI: main threads of different
/// units are in different groups of the scheduler, so its short time slice does not help there.
/// \returns whether there is one. If the main thread may use several processors, whether the unit has an idle one; if
///          it is not bound, whether the host has one
bool Engine::Impl::choose_processors() noexcept {
  if (options.num_own_processors > 1) return has_processor_to_spare();
  if (options.main_processors.empty()) return host_has_idle_processor();
  const std::uint32_t now = load->changes.load(std::memory_order_acquire);
  if (now == placed_at) return has_vacant_processor;
  placed_at = now;
  const core::CpuSet vacant = load->vacant(options.thread_processors);
  has_vacant_processor = !vacant.empty();
  const core::CpuSet& wanted = has_vacant_processor ? vacant : options.main_processors;
  if (!(wanted == bound_to)) {
    core::bind_this_thread(wanted);
    bound_to = wanted;
  }
  return has_vacant_processor;
}

}  // namespace dash::exec
