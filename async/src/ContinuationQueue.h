#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>

#include "dash/async/State.h"
#include "dash/core/Spin.h"

namespace dash::exec {

/// User continuations whose time has come, first in first out. Any thread may push and pop; a
/// continuation runs after it was taken off and the lock released.
class ContinuationQueue {
 public:
  bool empty() const noexcept { return _size.load(std::memory_order_seq_cst) == 0; }

  void push(Continuation& continuation) noexcept {
    std::lock_guard lock(_lock);
    continuation._next = nullptr;
    (_last == nullptr ? _first : _last->_next) = &continuation;
    _last = &continuation;
    _size.fetch_add(1, std::memory_order_seq_cst);
  }

  Continuation* pop() noexcept {
    if (empty()) return nullptr;
    std::lock_guard lock(_lock);
    Continuation* first = _first;
    if (first == nullptr) return nullptr;
    _first = first->_next;
    if (_first == nullptr) _last = nullptr;
    _size.fetch_sub(1, std::memory_order_relaxed);
    return first;
  }

 private:
  core::SpinLock _lock;  // guards the list
  Continuation* _first = nullptr;
  Continuation* _last = nullptr;
  std::atomic<std::size_t> _size{0};
};

}  // namespace dash::exec
