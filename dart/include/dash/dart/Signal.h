#pragma once

/// \file
/// Signals, on which notified access is built. The puts that raise them are in
/// dash/dart/Transfer.h. Internal to the library.

#include <cstddef>
#include <cstdint>

#include "dash/async/Engine.h"
#include "dash/async/Operation.h"
#include "dash/async/ValueState.h"
#include "dash/core/Export.h"
#include "dash/core/OtherProcesses.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::dart {

/// A word in global memory that units change and for whose changes its owner waits: a serial
/// number, or a count.
using Signal = exec::SharedWord;

/// The change that a put makes to its signal.
enum class SignalOp : std::uint8_t {
  set,  ///< stores the value
  add   ///< adds it: for several units that raise the same signal
};

/// Whether flushes and barriers wait until a signal has been raised. Between nodes that costs an
/// acknowledgement, which is not needed if the owner always waits for the signal.
enum class SignalFlush : std::uint8_t { ignores, covers };

/// Whether a serial number has reached `value`, modulo 2^32: it is at most 2^31 - 1 past it.
constexpr bool signal_reached(std::uint32_t current, std::uint32_t value) noexcept {
  return static_cast<std::int32_t>(current - value) >= 0;
}

/// Whether the signal has reached `value`. A fast path: always false while accesses are counted or
/// traced.
inline bool is_signal_reached(const Signal& signal, std::uint32_t value) noexcept {
  if (core::counting() || core::tracing()) [[unlikely]]
    return false;
  // Acquire: the caller sees the data that was complete before the change of the signal.
  if (!signal_reached(signal.value.load(std::memory_order_acquire), value)) return false;
  core::before_other_processes();
  core::after_other_processes();
  return true;
}

/// Changes a signal of this node. wake_waiters() has to follow.
/// \cost an atomic operation
inline void change_signal(Signal& signal, std::uint32_t value, SignalOp op) noexcept {
  core::before_other_processes();
  core::after_other_processes();
  // Before the load of the sleepers, as SharedWord requires, and after the data that the signal
  // announces.
  if (op == SignalOp::set) {
    signal.value.store(value, std::memory_order_seq_cst);
  } else {
    signal.value.fetch_add(value, std::memory_order_seq_cst);
  }
}

/// Wakes the waiters of a signal that has been changed.
/// \cost a load; a system call if a waiter sleeps
inline void wake_waiters(Signal& signal) noexcept {
  // Sequentially consistent, see SharedWord.
  if (signal.sleepers.load(std::memory_order_seq_cst) != 0) [[unlikely]]
    signal.wake();
}

/// Changes a signal of this node, and wakes its waiters.
/// \cost an atomic operation; a system call if a waiter sleeps
inline void raise_signal(Signal& signal, std::uint32_t value, SignalOp op) noexcept {
  change_signal(signal, value, op);
  wake_waiters(signal);
}

/// Raises a signal of any unit when the operation is complete. If the operation fails, the signal
/// is not raised, and the error is logged.
/// \completion the returned operation: as `operation`, and the signal has been raised, or the
///             message that raises it has been sent
/// \blocks never, except while too many operations are in flight  \threads thread-safe
/// \throws exception::InvalidArgument if the signal is not within a live segment
DASH_API exec::Operation raise_after(const exec::Operation& operation, dart_gptr_t signal,
                                     std::uint32_t value, SignalOp op = SignalOp::set,
                                     SignalFlush flush = SignalFlush::covers);

/// The state that completes, with the signal's value, when the signal has reached `value`.
/// \param signal  a signal of the caller; must live until then, or until cancel_signal_waits()
/// \blocks never  \threads thread-safe
/// \cost one allocation
DASH_API exec::StatePtr<exec::ValueState<std::uint32_t>> when_signal(Signal& signal,
                                                                     std::uint32_t value);

/// Fails the states of when_signal() for signals in memory that is about to be freed.
DASH_API void cancel_signal_waits(const void* begin, std::size_t nbytes);

}  // namespace dash::dart
