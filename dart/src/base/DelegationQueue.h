#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/WakeWord.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// Transfers that a unit delegates to its progress process, in memory that both processes map. Zero-initialized.
///
/// The unit adds transfers, and the progress process returns the tokens of those that are complete, in any order. At
/// most `capacity` transfers are in flight, so neither ring overflows.
struct DelegationQueue {
  static constexpr std::uint32_t capacity = 128;
  static_assert((capacity & (capacity - 1)) == 0, "the counters may overflow");

  enum class Kind : std::int16_t { get, put };
  struct alignas(core::cache_line_size) Transfer {
    Kind kind = Kind::get;
    bool is_two_sided = false;
    // The remote memory: see RemoteAddress.
    std::int32_t unit = 0;
    std::int32_t rank = 0;
    std::uint64_t displacement = 0;
    std::uint64_t location = 0;      // selects the window, too
    std::uint64_t local_offset = 0;  // of the local memory in the heap of the unit that delegates
    std::uint64_t nbytes = 0;
    std::uint64_t token = 0;
  };

  // Numbers of transfers since the beginning. Each is stored with release by the process that writes the entries
  // below, and loaded with acquire by the other one.
  alignas(core::cache_line_size) std::atomic<std::uint32_t> added;
  alignas(core::cache_line_size) std::atomic<std::uint32_t> completed;
  /// The progress process sleeps on the word of the first unit that it serves, unless other nodes of its host can wake
  /// it, too (HostPage).
  WakeWord wake_word;
  /// Transfer number n is entry n % capacity; the tokens likewise, in the order of completion.
  std::array<Transfer, capacity> transfers;
  std::array<std::uint64_t, capacity> completed_tokens;
};

/// What a unit needs to delegate transfers. Without progress processes, the queue is null.
struct Delegation {
  DelegationQueue* queue = nullptr;
  WakeWord* wake_word = nullptr;  // on which the progress process sleeps
  char* heap = nullptr;           // of the unit, which the progress process maps, too
  std::uint64_t heap_bytes = 0;
};

}  // namespace dash::dart
