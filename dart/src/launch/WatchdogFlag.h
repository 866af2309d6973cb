#pragma once

#include <atomic>
#include <cstdint>

#include "dash/async/Engine.h"

namespace dash::dart {

/// Raised by a unit with an overdue wait, for all units of the host.
struct WatchdogFlag {
  std::atomic<std::uint64_t> raised{0};   // how often
  std::atomic<std::uint64_t> last_ns{0};  // when, by the clock that they share
};

/// What the units of a host share, whether they share nodes or not. It reads as zero at first.
struct HostPage {
  exec::HostLoad load;
  WatchdogFlag alarm;
};

}  // namespace dash::dart
