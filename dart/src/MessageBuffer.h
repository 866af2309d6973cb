#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dash::dart {

/// An active message: a header, then data. Small enough that MPI sends it eagerly, so that
/// receiving one never waits for its sender.
struct MessageBuffer {
  enum class Kind : std::uint32_t {
    /// A transfer of `offset` bytes is coming: poll densely for as long as it may take.
    attention,
    /// Store the payload at `offset`, then `value` to the signal at `signal_offset`.
    put_signal
  };

  static constexpr std::size_t max_payload = 4096;

  Kind kind;
  std::uint32_t value;
  std::uint64_t offset;         // in the target's heap
  std::uint64_t signal_offset;  // in the target's heap
  std::uint64_t nbytes;         // of the payload
  std::array<std::byte, max_payload> payload;

  static constexpr std::size_t header_bytes = 32;
  std::size_t total_bytes() const noexcept { return header_bytes + nbytes; }
};
static_assert(offsetof(MessageBuffer, payload) == MessageBuffer::header_bytes);

}  // namespace dash::dart
