#pragma once

/// \file
/// Signals as operations of the engine: what notified access of the layer above stands on. The puts
/// that raise them are in dash/dart/Transfer.h.

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

/// A word in global memory that units change and its owner waits for: a serial number, or a count.
using Signal = exec::SharedWord;

/// What a put does to its signal.
enum class SignalOp : std::uint8_t {
  set,  ///< stores the value
  add   ///< adds it: for several units that raise the same signal
};

/// Whether flushes and barriers complete the raising of a signal, too: between nodes that costs an
/// answer. Who always waits for the signal needs none.
enum class SignalFlush : std::uint8_t { ignores, covers };

/// Whether the signal's serial number has reached `value`, modulo 2^32: is at most 2^31 - 1 past it.
constexpr bool signal_reached(std::uint32_t current, std::uint32_t value) noexcept {
  return static_cast<std::int32_t>(current - value) >= 0;
}

/// Whether the signal has reached `value`, where nobody has to hear that it was looked at.
inline bool signal_is_there(const Signal& signal, std::uint32_t value) noexcept {
  if (core::counting() || core::tracing()) [[unlikely]]
    return false;
  if (!signal_reached(signal.value.load(std::memory_order_acquire), value)) return false;
  core::before_other_processes();
  core::after_other_processes();
  return true;
}

/// Does it to a signal of this node, and wakes who waits for it.
/// \cost an atomic operation; a system call if somebody sleeps
inline void raise_signal(Signal& signal, std::uint32_t value, SignalOp op) noexcept {
  core::before_other_processes();
  core::after_other_processes();
  // Before the look at the sleepers, as SharedWord says; and after the data that is announced.
  if (op == SignalOp::set) {
    signal.value.store(value, std::memory_order_seq_cst);
  } else {
    signal.value.fetch_add(value, std::memory_order_seq_cst);
  }
  if (signal.sleepers.load(std::memory_order_seq_cst) != 0) [[unlikely]]
    signal.wake();
}

/// Raises a signal, of any unit, when the operation is complete. If it fails, the signal is not
/// raised; the operation's own future says why, and the log does.
/// \threads any   \blocks never, except while too many operations are in flight
/// \throws exception::InvalidArgument if the signal is not within a live segment
DASH_API void raise_after(const exec::Operation& operation, dart_gptr_t signal, std::uint32_t value,
                          SignalOp op = SignalOp::set, SignalFlush flush = SignalFlush::covers);

/// The state that is done, with the signal's value, once the signal has reached `value`.
/// \param signal  the caller's own; must live until then, or forget_signals()
/// \threads any   \blocks never   \cost one allocation
DASH_API exec::StatePtr<exec::ValueState<std::uint32_t>> when_signal(Signal& signal,
                                                                     std::uint32_t value);

/// Fails what waits, by when_signal(), for signals in memory that is going away.
DASH_API void forget_signals(const void* begin, std::size_t nbytes);

}  // namespace dash::dart
