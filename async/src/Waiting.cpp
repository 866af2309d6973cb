// Callers that wait: they spin and help, then sleep.

#include "EngineImpl.h"
#include "dash/Exception.h"
#include "dash/core/Clock.h"
#include "dash/core/Trace.h"

namespace dash::exec {

namespace {

/// Bounds of the sleep of a caller that has nobody to poll for it.
constexpr std::uint64_t shortest_nap = 5 * microsecond;
constexpr std::uint64_t longest_nap = 500 * microsecond;
/// Bound of a sleep on a shared word while continuations are outstanding.
constexpr std::uint64_t continuation_nap = 1000 * microsecond;
/// Polls of a spinning caller before it looks at the clock, and whether anything moves.
constexpr int polls_between_looks = 8;

/// Of a sleep (negative: without end) and the time left until the deadline.
std::int64_t shorter(std::int64_t length, std::uint64_t deadline_ns) noexcept {
  const std::uint64_t now = core::now_ns();
  const std::uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
  return length < 0 ? static_cast<std::int64_t>(left)
                    : static_cast<std::int64_t>(std::min(static_cast<std::uint64_t>(length), left));
}

}  // namespace

void Engine::Impl::check_may_wait() const {
  if (is_progress_thread) {
    throw exception::RuntimeError(
        "a wait on the progress thread can never end; wait on a thread of the application, or "
        "use then()");
  }
}

/// Helps and spins until done, for at most the configured time without success; longer while
/// something moves, which is when it polls densely: what a source does for a peer mostly shows
/// nowhere but there.
template <class Done>
bool Engine::Impl::spin_until(const Done& done, std::uint64_t deadline_ns) noexcept {
  std::uint64_t begin = 0;
  while (true) {
    for (int i = 0; i < polls_between_looks;) {
      const bool did = progress() | run_jobs(done);
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
class Engine::Impl::Nap {
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

bool Engine::Impl::wait_until(FunctionRef<bool()> done, std::uint64_t deadline_ns) {
  if (done()) return true;
  check_may_wait();
  const core::TraceSpan span(core::TraceKind::wait, "wait");
  const bool is_timed = deadline_ns != never;
  const auto timed_out = [&] { return is_timed && core::now_ns() >= deadline_ns; };
  if (jobs.suspend_until([&] { return done() || timed_out(); })) return done();
  if (spin_until(done, deadline_ns)) return true;
  Nap nap;
  while (!timed_out()) {
    const bool poll_myself = caller_must_poll();
    const auto key = completions.prepare();
    if (done()) {
      completions.cancel();
      return true;
    }
    if (!ready.empty() || may_run_jobs()) {
      completions.cancel();
    } else {
      std::int64_t length = poll_myself ? nap.next() : -1;
      if (is_timed) length = shorter(length, deadline_ns);
      Asleep asleep(*load, own_processors());
      completions.wait(key, length);
    }
    if (progress() | run_jobs(done)) nap.restart();
    if (done()) return true;
    // Woken by what was served for a peer, which goes on: sleeping would slow it down.
    if (busy() && spin_until(done, deadline_ns)) return true;
  }
  return false;
}

void Engine::Impl::wait_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done) {
  const auto arrived = [&] { return done(word.value.load(std::memory_order_acquire)); };
  if (arrived()) return;
  check_may_wait();
  const core::TraceSpan span(core::TraceKind::wait, "wait for a unit");
  if (jobs.suspend_until(arrived)) return;
  if (spin_until(arrived)) return;
  Nap nap;
  while (true) {
    if (sleep_shared(word, done, nap)) return;
    if (progress() | run_jobs(arrived)) nap.restart();
    if (arrived()) return;
    if (busy() && spin_until(arrived)) return;
  }
}

/// \returns whether done
bool Engine::Impl::sleep_shared(SharedWord& word, FunctionRef<bool(std::uint32_t)> done,
                                Nap& nap) noexcept {
  std::int64_t timeout = -1;
  if (caller_must_poll() || jobs.unfinished() != 0) {
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

}  // namespace dash::exec
