#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/core/Futex.h"

namespace dash::exec {

/// How urgently a poll source needs to be polled.
enum class Demand : std::uint8_t {
  /// No operation needs polling.
  none,
  /// This unit has no operation in flight, but other units may need service occasionally.
  service,
  /// This unit has operations in flight, but none has advanced for a long time: the target is silent.
  waiting,
  /// Operations of this unit or of a peer are in flight and advance with each poll.
  busy
};

/// Shortest time between two polls for a large operation, if each poll interrupts a main thread.
inline constexpr std::uint64_t large_operation_poll_ns = 100'000;

/// A set of operations that the engine polls: poll() advances them and completes their states.
///
/// poll() takes the locks that it needs, and completes states only after it has released them.
class DASH_API PollSource {
 public:
  PollSource() = default;
  PollSource(const PollSource&) = delete;
  PollSource& operator=(const PollSource&) = delete;
  virtual ~PollSource() = default;

  /// \returns whether an operation has advanced
  /// \blocks never   \threads thread-safe
  virtual bool poll() noexcept = 0;
  virtual Demand demand() const noexcept = 0;
  /// Whether demand() is at least this one. A source overrides it if it can answer faster.
  virtual bool has_demand(Demand at_least = Demand::service) const noexcept {
    return demand() >= at_least;
  }
  /// False if only callers poll the source (MPI without MPI_THREAD_MULTIPLE, jobs without workers).
  virtual bool thread_may_poll() const noexcept { return true; }
  /// Whether callers polled the source before the last poll of the progress thread, which therefore left
  /// the work to them.
  /// \threads the progress thread
  virtual bool polled_by_callers() const noexcept { return false; }
  /// Whether callers have polled the source within some tenths of a millisecond.
  /// \threads the progress thread
  virtual bool is_polled_by_callers_now() const noexcept { return false; }
  /// Whether operations in flight are short while demand() is busy. Then a caller that waits for another
  /// event keeps polling; longer operations are left to the progress thread.
  virtual bool has_short_operations() const noexcept { return true; }

  /// Whether operations advance only by polling. Then a waiting caller keeps polling, at a lower rate,
  /// instead of leaving its processor to a thread that polls as well.
  virtual bool progresses_by_polling() const noexcept { return false; }
  /// The shortest useful time between two polls of a thread that interrupts a main thread for each, in nanoseconds. 0:
  /// one poll either completes a small transfer or finds nothing, and no unit waits for it.
  /// \pre demand() is busy
  virtual std::uint64_t shortest_poll_interval_ns() const noexcept { return 0; }

  /// The longest time that a waiting caller sleeps before it calls poll(), in nanoseconds, while demand() is none:
  /// other libraries than this one may depend on the source. 0: it need not be polled.
  virtual std::uint64_t idle_poll_interval_ns() const noexcept { return 0; }

  /// The futex words of this source on which a thread that is about to sleep must sleep: a change,
  /// possibly by another unit, means that poll() will find work.
  struct Words {
    std::size_t count = 0;
    bool complete = true;  ///< false: more words than fit; the thread has to poll periodically
    bool found = false;    ///< an awaited change has happened already
  };
  /// \param by_thread  whether the progress thread is about to sleep, rather than a waiting caller
  virtual Words wait_words(std::span<core::FutexWord> /*words*/, bool /*by_thread*/) noexcept {
    return {};
  }
  /// Whether wait_words() may return any. \blocks never
  virtual bool has_wait_words() const noexcept { return false; }
  /// Whether the last poll has found something that a peer probably repeats soon, so that a caller should not sleep yet.
  virtual bool expects_more() const noexcept { return false; }
  /// Whether a caller must not poll another source alone for some microseconds, because only poll() of this one notices
  /// what the caller may wait for.
  virtual bool prevents_fast_path() const noexcept { return has_wait_words(); }
  /// Whether the progress thread sleeps on these words, too. False: only waiting callers do.
  virtual bool wakes_progress_thread() const noexcept { return false; }
  /// While demand() is `service`: the words that other units change whenever they need service. The progress thread
  /// sleeps on them, and need not poll regularly. None if the source has to be polled.
  /// \threads the progress thread
  virtual Words service_words(std::span<core::FutexWord> /*words*/) noexcept { return {}; }
  /// Whether the progress thread has to collect its words again, since a caller that polled has changed
  /// them. The engine asks when that caller stops polling.
  /// \returns true once per change
  virtual bool thread_must_recheck() noexcept { return false; }
};

/// A poll source with a fast path for blocking calls: it learns when a caller begins to wait, and
/// polls only for the operation that the caller waits for. The engine recognizes the class in
/// add_source().
class DASH_API FastPollSource : public PollSource {
 public:
  /// A caller begins to wait, for this source or for another event. \threads thread-safe
  virtual void on_caller_wait() noexcept = 0;

  /// Polls without pauses until `done` returns true, for at most some microseconds. Called for a
  /// waiting caller while no other source has demand. \threads thread-safe
  virtual void poll_until(FunctionRef<bool()> done) noexcept = 0;
};

}  // namespace dash::exec
