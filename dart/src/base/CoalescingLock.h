#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "dash/core/Spin.h"

namespace dash::dart {

/// A lock of what threads look at whenever they come by. Who finds it taken by another one who looks
/// goes on: that one looks once more, so that nothing is overlooked which came before the look.
class CoalescingLock {
 public:
  void lock() noexcept { _lock.lock(); }
  void unlock() noexcept { _lock.unlock(); }

  /// Calls look() with the lock held, as often as there was one wanted meanwhile; not at all, if
  /// somebody else has the lock.
  template <class Look>
  void look(Look look) {
    _wanted.fetch_add(1, std::memory_order_seq_cst);
    while (_lock.try_lock()) {
      std::uint64_t wanted = 0;
      {
        const std::lock_guard lock(_lock, std::adopt_lock);
        wanted = _wanted.load(std::memory_order_seq_cst);
        look();
      }
      if (wanted == _wanted.load(std::memory_order_seq_cst)) break;
    }
  }

 private:
  core::SpinLock _lock;
  std::atomic<std::uint64_t> _wanted{0};
};

}  // namespace dash::dart
