#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dash/core/Spin.h"
#include "dash/dart/Signal.h"

namespace dash::dart {

struct Message;
class Messenger;

/// Raises the signals of puts. The data of a large put may arrive after the message of the next put:
/// a signal must not get the value of the earlier one last. So the puts of one process that set one
/// signal raise it in the order of their messages. Additions are made in any order.
///
/// A put is counted as received and acknowledged when its signal has been raised.
/// \threads thread-safe
class SignalOrder {
 public:
  /// A put whose signal is raised when its data has arrived.
  class Put {
    friend class SignalOrder;
    Put(int source, const Message& message, Signal& signal) noexcept;

    Signal& _signal;
    const std::uint32_t _value;
    const SignalOp _op;
    // Of the message:
    const bool _wants_reply;
    const int _source;
    const int _target;
    const std::uint64_t _token;
    // The lock of the owner guards these.
    bool _has_arrived = false;
    bool _is_first = true;  // of the puts of the source that set the signal
    Put* _next = nullptr;   // of the same source, sets the same signal
  };

  explicit SignalOrder(Messenger& messenger) noexcept : _messenger(messenger) {}
  SignalOrder(const SignalOrder&) = delete;
  SignalOrder& operator=(const SignalOrder&) = delete;

  /// Whether the data of no put is pending, so that a signal may be raised at once.
  bool is_empty() const noexcept { return _num_pending.load(std::memory_order_acquire) == 0; }
  /// Adds a put. \param source  rank of the sender  \pre one caller at a time, in the order of the messages
  Put& add(int source, const Message& message, Signal& signal);
  /// The data of a put has arrived: raises its signal, now or after those that were added before,
  /// and deletes the put.
  void arrived(Put& put) noexcept;
  /// Replies to a request to acknowledge the earlier messages of a process. The reply waits for the
  /// signals of its puts whose data has arrived.
  void acknowledge(int source, std::uint64_t token);

 private:
  /// The pending puts of a process.
  struct Source {
    std::unordered_map<const Signal*, Put*> last;  // puts that set each signal: the one added last
    std::size_t num_deferred = 0;  // have arrived, but are not the first that set their signal
    std::vector<std::uint64_t> acknowledgements;  // tokens of requests that wait for deferred puts
  };

  Messenger& _messenger;
  core::SpinLock _lock;
  std::unordered_map<int, Source> _sources;  // by rank; those that have sent a put that was pending
  // Incremented before the data of the put is received, and decremented with release after its
  // signal has been raised. The caller that handles messages loads it with acquire, so it sees the
  // signals of all puts that it has added.
  std::atomic<std::size_t> _num_pending{0};
};

}  // namespace dash::dart
