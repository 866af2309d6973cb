#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dash/core/Pooled.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// What an active message asks of its receiver; each kind has one handler.
enum class MessageKind : std::uint8_t {
  /// A transfer of `place` bytes is coming: poll densely for as long as it may take.
  attention,
  /// This message's sender has done what the request `token` asked of it; the payload is the answer.
  reply,
  /// Store the payload at `place`.
  put,
  /// Store the payload at `place` but for its last 8 bytes, which are the place of a signal; then
  /// do `op` (SignalOp) with `value` to it.
  put_signal,
  /// Store pieces of the payload, each at an offset from `place`.
  scatter,
  /// Reply with pieces of memory, each at an offset from `place`.
  gather,
  /// Apply `op` to elements of `type` at `place`, with those of the payload.
  accumulate,
  /// The same for one element; reply with the old one.
  fetch_and_op,
  /// The payload is the new value and what to compare with; reply with the old one.
  compare_and_swap,
  /// Receive `value` bytes at `place`, under the tag that is the payload; reply when they are there.
  receive_data,
  /// Send so many from there.
  send_data,
  /// Have the service of the segment `value` serve the payload; reply with what it answers.
  call,
  /// A wait of the sender's node is overdue: say what is waited for here.
  alarm,
  /// Receive data at `place`, as the payload says, a SignalledData; then do `op` with `value` to its
  /// signal.
  receive_signalled_data,
  /// From here on for other parts of the runtime.
  first_free
};

inline constexpr std::size_t max_message_kinds = 32;

/// The payload of a message that announces data, and the place of a signal.
struct SignalledData {
  std::int32_t tag;
  std::uint32_t nbytes;
  std::uint64_t signal;
};

/// An active message: a header, then data. Small enough that MPI sends it eagerly, so that
/// receiving one never waits for its sender.
struct Message : core::Pooled {
  static constexpr std::size_t max_payload = 4096;
  static constexpr std::size_t header_bytes = 32;

  /// Flags: `place` (that of the signal) is an address of the receiver, not an offset in its heap.
  static constexpr std::uint8_t absolute_place = 1;
  static constexpr std::uint8_t absolute_signal = 2;
  /// The receiver replies, and answers with it all messages before this one.
  static constexpr std::uint8_t wants_reply = 4;

  Message() noexcept : Message(MessageKind::attention) {}
  explicit Message(MessageKind what) noexcept : kind(what) {}  // leaves the payload as it is

  std::size_t total_bytes() const noexcept { return header_bytes + nbytes; }

  alignas(16) MessageKind kind;
  std::uint8_t op = 0;
  std::uint8_t type = 0;
  std::uint8_t flags = 0;
  std::uint32_t value = 0;
  std::uint64_t place = 0;   // in the receiver's memory
  std::uint64_t token = 0;   // the sender's name for the request that a reply is for
  std::uint64_t nbytes = 0;  // of the payload
  std::array<std::byte, max_payload> payload;
};
static_assert(sizeof(Message) <= core::Pooled::large_bytes &&
                  sizeof(Message) + core::cache_line_size > core::Pooled::large_bytes,
              "messages have a pool");

}  // namespace dash::dart
