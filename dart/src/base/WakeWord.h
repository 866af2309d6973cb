#pragma once

#include <atomic>
#include <cstdint>

#include "dash/core/Fence.h"
#include "dash/core/Futex.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// What a progress thread (PeerWakeUp) or a progress process (DelegationQueue) sleeps on, in memory that it shares with
/// units of its host. Zero-initialized.
struct alignas(core::cache_line_size) WakeWord {
  /// Changes when the thread is woken. The sleeping thread loads it before it stores `sleeps`, and a unit
  /// changes it after it has exchanged `sleeps`. So the thread never expects the value that wakes
  /// it.
  std::atomic<std::uint32_t> value;
  /// 1 if the thread is about to sleep or sleeps, and no unit has woken it.
  std::atomic<std::uint32_t> sleeps;
  /// Time from which units whose operations do not advance may wake the thread again. Relaxed: only
  /// the unit whose compare-exchange succeeds wakes it.
  std::atomic<std::uint64_t> next_wake_of_silent_ns;

  /// Announces that the thread is about to sleep. It has to look once more for work.
  /// \returns the value for which it sleeps
  std::uint32_t announce_sleep() noexcept {
    const std::uint32_t expected = value.load(std::memory_order_seq_cst);
    sleeps.store(1, std::memory_order_seq_cst);
    core::full_fence();
    return expected;
  }
  /// The thread is awake. Relaxed: a waker that still sees the flag makes a system call that wakes no thread.
  void stay_awake() noexcept { sleeps.store(0, std::memory_order_relaxed); }
  /// Wakes the thread if it sleeps. With the accesses in announce_sleep(): the sleeper finds the work that the
  /// caller has added before, or the caller finds the flag.
  /// \threads thread-safe  \cost a fence and one load if it does not sleep; else a system call
  void wake() noexcept {
    core::full_fence();
    wake_if_sleeping();
  }
  /// The same without the fence. Unlike SharedWord::add(), changes the word only if the thread sleeps, and one caller
  /// only makes the system call. The first load may be relaxed: wake() orders it, and the exchange decides.
  /// \param threads  the number of threads that may sleep on the word
  void wake_if_sleeping(int threads = 1) noexcept {
    if (sleeps.load(std::memory_order_relaxed) == 0 ||
        sleeps.exchange(0, std::memory_order_seq_cst) == 0)
      return;
    value.fetch_add(1, std::memory_order_seq_cst);
    core::futex_wake(value, threads, true);
  }
};

}  // namespace dash::dart
