#pragma once

#include <atomic>
#include <cstdint>

#include "dash/core/Spin.h"

namespace dash::dart {

/// What the progress thread of a unit sleeps on, in memory that all units of the host share: see PeerWakeUp.
/// Zero-initialized.
struct alignas(core::cache_line_size) WakeWord {
  /// Changes when the thread is woken. The thread loads it before it stores `sleeps`, and a unit
  /// changes it after it has exchanged `sleeps`. So the thread never expects the value that wakes
  /// it.
  std::atomic<std::uint32_t> value;
  /// 1 if the thread is about to sleep or sleeps, and no unit has woken it.
  std::atomic<std::uint32_t> sleeps;
  /// Time from which units whose operations do not advance may wake the thread again. Relaxed: only
  /// the unit whose compare-exchange succeeds wakes it.
  std::atomic<std::uint64_t> next_wake_of_silent_ns;
};

}  // namespace dash::dart
