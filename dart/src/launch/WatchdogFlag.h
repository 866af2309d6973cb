#pragma once

#include <atomic>
#include <cstdint>

#include "dash/async/Engine.h"

namespace dash::dart {

/// Flag that a unit with an overdue wait raises for all units of the host.
struct WatchdogFlag {
  std::atomic<std::uint64_t> raised{0};   // number of times that it was raised
  std::atomic<std::uint64_t> last_ns{0};  // time of the last raise, by the clock of the host
};

/// State shared by the units of a host, even if they are in different nodes. Zero-initialised.
struct HostPage {
  exec::HostLoad load;
  WatchdogFlag watchdog_flag;
};

}  // namespace dash::dart
