#pragma once

#include <atomic>
#include <cstdint>

#include "dash/core/Spin.h"

namespace dash::dart {

/// What the progress thread of a unit sleeps on, in memory that all units of the host share: see PeerWakeUp.
/// Zero-initialized.
struct alignas(core::cache_line_size) WakeWord {
  std::atomic<std::uint32_t> value;  ///< changes when the thread is woken
  std::atomic<std::uint32_t>
      sleeps;  ///< 1 if the thread is about to sleep or sleeps, and no unit has woken it
  /// Time from which units whose operations do not advance may wake the thread again.
  std::atomic<std::uint64_t> next_wake_of_silent_ns;
};

}  // namespace dash::dart
