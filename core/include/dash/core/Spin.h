#pragma once

#include <atomic>
#include <cstddef>

#include "dash/core/Export.h"

namespace dash::core {

/// Data that different threads write is kept this many bytes apart.
inline constexpr std::size_t cache_line_size = 64;

/// Tells the processor that it is in a spin loop: saves power, and leaves the core to its sibling.
inline void cpu_relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// A lock for sections of a few instructions. A waiter spins for some microseconds, then gives its
/// processor away between two looks, so that a holder who lost its processor gets on. Lockable:
/// works with std::lock_guard.
class SpinLock {
 public:
  SpinLock() noexcept = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  /// \threads any; not recursive   \blocks until the holder unlocks
  void lock() noexcept {
    if (!try_lock()) {
      lock_contended();
    }
  }

  /// \returns whether the caller holds the lock now   \blocks never
  bool try_lock() noexcept {
    // The plain look first keeps the line shared among waiters; acquire pairs with the release of
    // unlock.
    return !_locked.load(std::memory_order_relaxed) &&
           !_locked.exchange(true, std::memory_order_acquire);
  }

  void unlock() noexcept { _locked.store(false, std::memory_order_release); }

 private:
  DASH_API void lock_contended() noexcept;

  std::atomic<bool> _locked{false};
};

}  // namespace dash::core
