#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/WakeWord.h"
#include "dash/async/Engine.h"

namespace dash::dart {

/// Flag that a unit with an overdue wait raises for all units of the host.
struct WatchdogFlag {
  // Number of times that it was raised. Any order suffices: a unit only compares it with the last number that it read.
  std::atomic<std::uint64_t> raised{0};
  // Time of the last raise, by the clock of the host. Relaxed: only the unit whose compare-exchange succeeds raises.
  std::atomic<std::uint64_t> last_ns{0};
};

/// State shared by the units of a host, even if they are in different nodes. Zero-initialized.
struct HostPage {
  static constexpr std::size_t max_wake_words = 56;

  exec::HostLoad load;
  WatchdogFlag watchdog_flag;
  /// By global id, if all units are on this host: see PeerWakeUp.
  std::array<WakeWord, max_wake_words> wake_words;
};

}  // namespace dash::dart
