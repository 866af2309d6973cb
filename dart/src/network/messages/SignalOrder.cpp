#include "network/messages/SignalOrder.h"

#include <mutex>

#include "network/messages/Messenger.h"

namespace dash::dart {

SignalOrder::Put::Put(int source, const Message& message, Signal& signal) noexcept
    : _signal(signal),
      _value(message.value),
      _op(static_cast<SignalOp>(message.op)),
      _wants_reply((message.flags & Message::wants_reply) != 0),
      _source(source),
      _target(message.target),
      _token(message.token) {}

SignalOrder::Put& SignalOrder::add(int source, const Message& message, Signal& signal) {
  auto* const put = new Put(source, message, signal);
  const std::lock_guard lock(_lock);
  Source& of_source = _sources[source];
  if (put->_op == SignalOp::set) {
    Put*& last = of_source.last[&signal];
    put->_is_first = last == nullptr;
    if (last != nullptr) last->_next = put;
    last = put;
  }
  // Relaxed: the reader holds the poll lock, like this thread.
  _num_pending.fetch_add(1, std::memory_order_relaxed);
  return *put;
}

void SignalOrder::arrived(Put& put) noexcept {
  const int source = put._source;
  Signal& signal = put._signal;
  Put* end = &put;  // after the puts whose signals are raised
  std::vector<std::uint64_t> acknowledgements;
  {
    const std::lock_guard lock(_lock);
    Source& of_source = _sources.find(source)->second;
    put._has_arrived = true;
    if (!put._is_first) {
      ++of_source.num_deferred;
      return;
    }
    Put* last = nullptr;  // its value replaces those of the others
    std::size_t num_raised = 0;
    for (; end != nullptr && end->_has_arrived; end = end->_next) {
      last = end;
      ++num_raised;
    }
    of_source.num_deferred -= num_raised - 1;  // all but the first have arrived before
    if (end != nullptr) {
      end->_is_first = true;
    } else if (put._op == SignalOp::set) {
      of_source.last.erase(&signal);
    }
    change_signal(signal, last->_value, last->_op);
    // Release: a thread that reads the number with acquire sees the changed signals.
    _num_pending.fetch_sub(num_raised, std::memory_order_release);
    if (of_source.num_deferred == 0) acknowledgements.swap(of_source.acknowledgements);
  }
  wake_waiters(signal);
  for (Put* each = &put; each != end;) {
    Put* const next = each->_next;
    _messenger.count_received(each->_target);
    if (each->_wants_reply) _messenger.reply_or_abort(source, each->_token);
    delete each;
    each = next;
  }
  for (const std::uint64_t token : acknowledgements)
    _messenger.reply_or_abort(source, token);
}

void SignalOrder::acknowledge(int source, std::uint64_t token) {
  if (!is_empty()) {
    const std::lock_guard lock(_lock);
    const auto found = _sources.find(source);
    if (found != _sources.end() && found->second.num_deferred != 0) {
      found->second.acknowledgements.push_back(token);
      return;
    }
  }
  _messenger.reply(source, token);
}

}  // namespace dash::dart
