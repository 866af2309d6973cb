#pragma once

#include <atomic>
#include <cstddef>

#include "dash/core/Export.h"

namespace dash::core {

/// Distance in bytes between data that different threads write, to avoid false sharing.
inline constexpr std::size_t cache_line_size = 64;

/// Spin-loop hint to the processor: saves power, and leaves resources to the other hardware thread of the
/// core.
inline void cpu_relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// A lock for critical sections of a few instructions. A waiting thread spins for some microseconds, then
/// yields the processor between attempts, so that a preempted holder can run. Meets the requirements of
/// Lockable.
class SpinLock {
 public:
  SpinLock() noexcept = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  /// \threads thread-safe; not recursive   \blocks until the holder unlocks
  void lock() noexcept {
    if (!try_lock()) {
      lock_contended();
    }
  }

  /// \returns whether the caller has acquired the lock   \blocks never
  bool try_lock() noexcept {
    // The plain load first keeps the cache line shared among waiting threads. Acquire pairs with the
    // release in unlock().
    return !_locked.load(std::memory_order_relaxed) &&
           !_locked.exchange(true, std::memory_order_acquire);
  }

  void unlock() noexcept { _locked.store(false, std::memory_order_release); }

 private:
  DASH_API void lock_contended() noexcept;

  std::atomic<bool> _locked{false};
};

}  // namespace dash::core
