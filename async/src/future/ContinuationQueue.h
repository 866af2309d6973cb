#pragma once

#include <atomic>
#include <mutex>

#include "dash/async/State.h"
#include "dash/core/Spin.h"

namespace dash::exec {

/// User continuations whose time has come, first in first out. Any thread may push and pop; a
/// continuation runs after it was taken off and the lock released.
class ContinuationQueue {
 public:
  /// With the lock: who goes to sleep says so, then looks here; who pushes looks for sleepers then.
  /// Whoever has the lock second sees what the other one did.
  bool empty() const noexcept {
    std::lock_guard lock(_lock);
    return _first.load(std::memory_order_relaxed) == nullptr;
  }

  void push(Continuation& continuation) noexcept {
    std::lock_guard lock(_lock);
    continuation._next = nullptr;
    if (_first.load(std::memory_order_relaxed) == nullptr) {
      _first.store(&continuation, std::memory_order_relaxed);
    } else {
      _last->_next = &continuation;
    }
    _last = &continuation;
  }

  /// Without the lock: what is pushed meanwhile may be overlooked.
  bool looks_empty() const noexcept { return _first.load(std::memory_order_relaxed) == nullptr; }

  Continuation* pop() noexcept {
    if (looks_empty()) return nullptr;
    std::lock_guard lock(_lock);
    Continuation* const first = _first.load(std::memory_order_relaxed);
    if (first != nullptr) _first.store(first->_next, std::memory_order_relaxed);
    return first;
  }

 private:
  mutable core::SpinLock _lock;                // guards the list
  std::atomic<Continuation*> _first{nullptr};  // atomic for a look without the lock
  Continuation* _last = nullptr;               // while there is a first
};

}  // namespace dash::exec
