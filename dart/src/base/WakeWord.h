#pragma once

#include <atomic>
#include <cstdint>

#include "dash/async/SharedWord.h"
#include "dash/core/Spin.h"

namespace dash::dart {

/// A word in memory that all units of a host share, on which the progress thread of one unit sleeps: see PeerWakeUp.
struct alignas(core::cache_line_size) WakeWord {
  /// `sleepers` is a flag here, which the thread sets and a waker clears.
  exec::SharedWord word;
  /// Time from which units whose operations do not advance may wake the thread again.
  std::atomic<std::uint64_t> next_wake_of_silent_ns{0};
};

}  // namespace dash::dart
