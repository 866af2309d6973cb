#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "base/RemoteAddress.h"
#include "dash/core/Spin.h"
#include "network/rma/Request.h"

namespace dash::dart {

/// Puts that the next poll starts, instead of their callers: MPI copies their data during the call.
class DeferredPuts {
 public:
  struct Put {
    Request* request;
    RemoteAddress dest;
    const void* src;
    int nbytes;
  };

  /// Puts that have not been started yet, or are being started.
  std::size_t size() const noexcept { return _size.load(std::memory_order_acquire); }

  /// \threads thread-safe
  void add(const Put& put) {
    std::lock_guard lock(_lock);
    _waiting.push_back(put);
    _size.fetch_add(1, std::memory_order_release);
  }

  /// Calls start(put) for each put, in the order of the add() calls. \pre the caller holds the poll
  /// lock
  template <class Start>
  void start_all(const Start& start) {
    if (size() == 0) return;
    {
      std::lock_guard lock(_lock);
      _starting.swap(_waiting);
    }
    for (const Put& put : _starting) {
      start(put);
      _size.fetch_sub(1, std::memory_order_release);
    }
    _starting.clear();
  }

 private:
  core::SpinLock _lock;  // guards _waiting
  std::vector<Put> _waiting;
  std::vector<Put> _starting;  // belongs to the holder of the poll lock
  // Read without the lock to skip an empty list; the lock orders the puts. start_all() decrements
  // it with release after the put has entered the request table. FlowControl loads it first, with
  // acquire, and so finds the put here or there. For threads that sleep, see RequestTable::_added.
  std::atomic<std::size_t> _size{0};
};

}  // namespace dash::dart
