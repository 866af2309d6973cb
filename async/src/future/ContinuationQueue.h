#pragma once

#include <atomic>
#include <mutex>

#include "dash/async/State.h"
#include "dash/core/Spin.h"

namespace dash::exec {

/// FIFO queue of ready continuations of the application. A continuation runs after it has
/// been removed and the lock released.
/// \threads thread-safe
class ContinuationQueue {
 public:
  /// Takes the lock: a thread that is about to sleep registers, then calls this; a thread that pushes
  /// checks for sleepers afterwards. The second one to take the lock sees what the first one did.
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

  /// Takes no lock: may miss a concurrent push.
  bool looks_empty() const noexcept { return _first.load(std::memory_order_relaxed) == nullptr; }

  Continuation* pop() noexcept {
    if (looks_empty()) return nullptr;
    std::lock_guard lock(_lock);
    Continuation* const first = _first.load(std::memory_order_relaxed);
    if (first != nullptr) _first.store(first->_next, std::memory_order_relaxed);
    return first;
  }

 private:
  mutable core::SpinLock _lock;  // guards the list
  std::atomic<Continuation*> _first{
      nullptr};                   // atomic because looks_empty() reads it without the lock
  Continuation* _last = nullptr;  // valid if `_first` is not null
};

}  // namespace dash::exec
