#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "base/RemoteAddress.h"
#include "network/rma/Request.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// Puts that whoever polls next shall start, since MPI copies their data in the call.
class DeferredPuts {
 public:
  struct Put {
    Request* request;
    RemoteAddress dest;
    const void* src;
    int nbytes;
  };

  /// Puts that were not started yet, or are being started.
  std::size_t size() const noexcept { return _size.load(std::memory_order_acquire); }

  /// \threads any
  void add(const Put& put) {
    std::lock_guard lock(_lock);
    _waiting.push_back(put);
    _size.fetch_add(1, std::memory_order_release);
  }

  /// Calls start(put) for each, in the order in which they came. \pre the poll lock is held
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
  std::vector<Put> _starting;  // of who holds the poll lock
  std::atomic<std::size_t> _size{0};
};

}  // namespace dash::dart
