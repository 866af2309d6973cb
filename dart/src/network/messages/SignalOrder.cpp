#include "network/messages/SignalOrder.h"

#include <mutex>

namespace dash::dart {

void SignalOrder::add(Put& put) {
  const std::lock_guard lock(_lock);
  if (put._op == SignalOp::set) {
    Put*& last = _last[&put._signal];
    put._is_first = last == nullptr;
    if (last != nullptr) last->_next = &put;
    last = &put;
  }
  _num_pending.fetch_add(1, std::memory_order_relaxed);
}

void SignalOrder::arrived(Put& put) noexcept {
  Put* end = &put;  // after the puts whose signals are raised
  {
    const std::lock_guard lock(_lock);
    put._has_arrived = true;
    if (!put._is_first) return;
    while (end != nullptr && end->_has_arrived) {
      raise_signal(end->_signal, end->_value, end->_op);
      _num_pending.fetch_sub(1, std::memory_order_release);
      if (end->_next != nullptr) {
        end->_next->_is_first = true;
      } else if (end->_op == SignalOp::set) {
        _last.erase(&end->_signal);
      }
      end = end->_next;
    }
  }
  for (Put* each = &put; each != end;) {
    Put* const next = each->_next;
    each->raised();
    delete each;
    each = next;
  }
}

}  // namespace dash::dart
