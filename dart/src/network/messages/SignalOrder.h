#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "dash/core/Spin.h"
#include "dash/dart/Signal.h"

namespace dash::dart {

/// Raises the signals of puts in the order in which their messages have arrived. The data of a
/// large put may arrive after the message of the next put: the signal must not get the value of the
/// earlier one last.
///
/// Only puts that set one signal are ordered. Additions may be made in any order.
/// \threads thread-safe
class SignalOrder {
 public:
  /// A put whose signal is raised when its data has arrived.
  class Put {
   public:
    Put(Signal& signal, std::uint32_t value, SignalOp op) noexcept
        : _signal(signal), _value(value), _op(op) {}
    virtual ~Put() = default;
    Put(const Put&) = delete;
    Put& operator=(const Put&) = delete;

   private:
    friend class SignalOrder;
    /// The signal has been raised. The put is deleted afterwards.
    virtual void raised() noexcept = 0;

    Signal& _signal;
    std::uint32_t _value;
    SignalOp _op;
    // The lock of the owner guards these.
    bool _has_arrived = false;
    bool _is_first = true;  // of the puts that set the signal
    Put* _next = nullptr;   // sets the same signal
  };

  /// Whether the data of no put is pending, so that a signal may be raised at once.
  bool is_empty() const noexcept { return _num_pending.load(std::memory_order_acquire) == 0; }
  /// Adds a put. \pre one caller at a time, in the order of the messages
  void add(Put& put);
  /// The data of a put has arrived: raises its signal, now or after those that were added before,
  /// and deletes the put.
  void arrived(Put& put) noexcept;

 private:
  core::SpinLock _lock;
  std::unordered_map<const Signal*, Put*> _last;  // puts that set each signal: the one added last
  // Incremented before the data of the put is received, and decremented with release after its
  // signal has been raised. The caller that handles messages loads it with acquire, so it sees the
  // signals of all puts that it has added.
  std::atomic<std::size_t> _num_pending{0};
};

}  // namespace dash::dart
