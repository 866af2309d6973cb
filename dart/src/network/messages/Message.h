#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dash/core/Pooled.h"
#include "dash/core/Spin.h"
#include "dash/dart/TaskMessage.h"

namespace dash::dart {

/// The request that an active message makes; each kind has one handler at the target.
enum class MessageKind : std::uint8_t {
  /// Announces a transfer of `location` bytes, in whose progress the receiver takes part: it polls until the transfer can
  /// be complete. `value` is an Attention.
  attention,
  /// Completes the request `token` of the receiver; the payload is the result.
  reply,
  /// Store the payload at `location`.
  put,
  /// Store the payload, except its last 8 bytes, at `location`. The last 8 bytes are the location
  /// of a signal; apply `op` (SignalOp) with `value` to it.
  put_signal,
  /// Store the blocks of the payload, each at an offset from `location`.
  scatter,
  /// Reply with blocks of memory, each at an offset from `location`.
  gather,
  /// Apply `op` to elements of `type` at `location`; the operands are the payload.
  accumulate,
  /// Apply `op` to one element at `location`; reply with its old value.
  fetch_and_op,
  /// The payload is the new value and the value to compare with; reply with the old value.
  compare_and_swap,
  /// Receive `value` bytes of data at `location`, with the tag in the payload; reply when the data
  /// has arrived.
  receive_data,
  /// Send `value` bytes from `location`, with the tag in the payload.
  send_data,
  /// Pass the payload to the service of segment `value`; reply with its result.
  call,
  /// The payload is a message for a function of the application, `value` its MessageRole. A reply to it acknowledges that
  /// the receiver has consumed it.
  task,
  /// Announces such a message, which follows as data; the payload is a TaskData.
  task_data,
  /// A wait of the sender is overdue: all units of this host report their pending waits.
  report_waits,
  /// Receive data at `location` as the payload says (SignalledData); then apply `op` with `value`
  /// to its signal.
  receive_signalled_data,
  /// The first kind that other subsystems may define.
  first_free
};

inline constexpr std::size_t max_message_kinds = 32;

/// What makes progress of an announced transfer at the unit that has started it.
enum class Attention : std::uint8_t {
  some_call,  ///< a later call
  progress_thread,
  waiting_caller  ///< a caller that continues with the next operation as soon as the transfer is complete
};

/// Payload of a message that announces data with a signal.
struct SignalledData {
  std::int32_t tag;
  std::uint32_t nbytes;
  std::uint64_t signal;  // location of the signal
};

/// An active message: a header and a payload. It is small enough for MPI to send it eagerly, so
/// receiving a message never waits for its sender.
struct Message : core::Pooled {
  static constexpr std::size_t max_payload = 4096;
  static constexpr std::size_t header_bytes = 32;

  /// Flags: `location` (the location of the signal) is an address in the receiver's process, not an
  /// offset in its heap. In a message of the kind attention: the announced transfer accesses memory at such an address.
  static constexpr std::uint8_t absolute_location = 1;
  static constexpr std::uint8_t absolute_signal = 2;
  /// The receiver replies. The reply also acknowledges all earlier messages of the pair.
  static constexpr std::uint8_t wants_reply = 4;

  Message() noexcept : Message(MessageKind::attention) {}
  explicit Message(MessageKind message_kind) noexcept
      : kind(message_kind) {}  // the payload stays uninitialized

  std::size_t total_bytes() const noexcept { return header_bytes + nbytes; }

  /// Whether the unit itself has to handle the message: it runs functions of the application or
  /// concerns memory that only the unit maps. A progress process handles all others.
  bool is_for_unit() const noexcept {
    switch (kind) {
      case MessageKind::attention:
      case MessageKind::put:
      case MessageKind::put_signal:
      case MessageKind::scatter:
      case MessageKind::gather:
      case MessageKind::accumulate:
      case MessageKind::fetch_and_op:
      case MessageKind::compare_and_swap:
      case MessageKind::receive_data:
      case MessageKind::receive_signalled_data:
      case MessageKind::send_data:
        return (flags & (absolute_location | absolute_signal)) != 0;
      case MessageKind::reply:  // sent to the process that waits for it
      case MessageKind::call:
      case MessageKind::task:
      case MessageKind::task_data:
      case MessageKind::report_waits:
      case MessageKind::first_free:
        return true;
    }
    return true;  // a kind of another subsystem
  }

  /// Replies are not counted as received, and puts with signals when the signal has been raised.
  bool is_counted_by_handler() const noexcept {
    return kind == MessageKind::reply || kind == MessageKind::put_signal ||
           kind == MessageKind::receive_signalled_data;
  }

  /// Whether a caller of the sender probably waits for the reply, and continues with the next operation.
  bool sender_waits() const noexcept {
    switch (kind) {
      case MessageKind::gather:
      case MessageKind::fetch_and_op:
      case MessageKind::compare_and_swap:
      case MessageKind::call:
        return true;
      case MessageKind::task:
        return value == static_cast<std::uint32_t>(MessageRole::request);
      case MessageKind::put:
        return nbytes != 0 && (flags & wants_reply) != 0;  // without bytes: a flush
      default:
        return false;
    }
  }

  alignas(16) MessageKind kind;
  std::uint8_t op = 0;
  std::uint8_t type = 0;
  std::uint8_t flags = 0;
  std::uint32_t value = 0;
  std::uint64_t location = 0;  // in the target's memory
  std::uint64_t token = 0;     // identifies the sender's request that the reply completes
  std::int32_t target = 0;     // global id of the unit; in replies, unused
  std::uint32_t nbytes = 0;    // of the payload
  std::array<std::byte, max_payload> payload;
};
static_assert(sizeof(Message) <= core::Pooled::large_bytes &&
                  sizeof(Message) + core::cache_line_size > core::Pooled::large_bytes,
              "messages fill the larger of the two pools");

}  // namespace dash::dart
