#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

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

  /// Adds a transfer, for the progress process. \pre fewer than `capacity` transfers are in flight; one caller at a time
  void add(const Transfer& transfer) noexcept {
    // Relaxed: only this process stores the number.
    const std::uint32_t number = added.load(std::memory_order_relaxed);
    transfers[number % capacity] = transfer;
    added.store(number + 1, std::memory_order_release);
  }

  /// Calls f(transfer) for each transfer after the first `taken` ones, and counts them. Only for the progress process.
  /// \returns whether there was one
  template <class F>
  bool take_added(std::uint32_t& taken, F f) {
    const std::uint32_t end = added.load(std::memory_order_acquire);
    if (taken == end) return false;
    for (; taken != end; ++taken)
      f(std::as_const(transfers[taken % capacity]));
    return true;
  }

  /// Reports that a transfer is complete, to the unit. Only for the progress process.
  void complete(std::uint64_t token) noexcept {
    // Relaxed: only this process stores the number.
    const std::uint32_t number = completed.load(std::memory_order_relaxed);
    completed_tokens[number % capacity] = token;
    completed.store(number + 1, std::memory_order_release);
  }

  /// Calls f(token) for each complete transfer after the first `taken` ones, and counts them, while has_space() returns
  /// true. \pre one caller at a time   \returns the number of calls
  template <class HasSpace, class F>
  std::uint32_t take_completed(std::uint32_t& taken, HasSpace has_space, F f) const {
    const std::uint32_t begin = taken;
    const std::uint32_t end = completed.load(std::memory_order_acquire);
    for (; taken != end && has_space(); ++taken)
      f(completed_tokens[taken % capacity]);
    return taken - begin;
  }

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
