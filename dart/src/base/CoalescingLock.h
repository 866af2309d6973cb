#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "dash/core/Fence.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// Lock for a periodic check that many threads request.
///
/// A thread that finds the lock taken leaves a request instead of waiting; the holder repeats the
/// check before it returns. So no request is lost: a check begins after each request. A holder that has used lock()
/// does not repeat the check; then the requester has to poll again.
class CoalescingLock {
 public:
  void lock() noexcept { _lock.lock(); }
  void unlock() noexcept { _lock.unlock(); }

  /// Calls check() under the lock, and again for requests that arrived in the meantime. If another
  /// thread holds the lock, that thread makes the call.
  template <class Check>
  void run(Check check) {
    // Release: pairs with the acquire below, so that check() sees the reason for the request.
    _requests.fetch_add(1, std::memory_order_release);
    // A requester counts, then loads the lock; the holder stores the lock, then loads the count. The
    // two fences order the store of each before its load, so that at least one of the threads sees
    // the store of the other. The lock alone would allow both to miss it, even on x86-64.
    core::full_fence();
    while (_lock.try_lock()) {
      std::uint64_t seen = 0;
      {
        const std::lock_guard lock(_lock, std::adopt_lock);
        seen = _requests.load(std::memory_order_acquire);
        check();
      }
      core::full_fence();
      if (seen == _requests.load(std::memory_order_relaxed)) break;
    }
  }

 private:
  core::SpinLock _lock;
  std::atomic<std::uint64_t> _requests{0};
};

}  // namespace dash::dart
