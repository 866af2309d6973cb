#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "network/rma/RmaDriver.h"
#include "launch/Session.h"
#include "dash/core/Futex.h"

namespace dash::dart {

/// Looks for waits that last too long, and has every unit say what it waits for (DART_WATCHDOG_S).
///
/// A thread of each unit looks at the unit's waits some times a second. If one is overdue it raises the
/// alarm of the host, and sends a message to the first unit of each other node, which raises that of
/// its host. Whoever sees the alarm raised reports. The job goes on.
class Watchdog {
 public:
  /// \param patience_s  the same on all units; 0: does nothing
  Watchdog(Session& session, RmaDriver& driver, unsigned patience_s);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// \pre all units can receive messages
  void start();
  /// From here on no messages are sent, and overdue waits are told to the units of this host only.
  void end_messages() noexcept;

  /// Alarms that have come by message. \threads any
  std::uint64_t alarms_received() const noexcept {
    return _received.load(std::memory_order_relaxed);
  }

 private:
  void run() noexcept;
  bool raise() noexcept;
  void tell_other_nodes();
  void report() const;

  Session& _session;
  RmaDriver& _driver;
  const std::uint64_t _patience_ns;
  std::thread _thread;
  std::atomic<bool> _stop{false};
  core::EventCount _wake;
  std::mutex _mutex;  // guards what follows, and sending
  bool _may_send = false;
  std::atomic<std::uint64_t> _received{0};
};

}  // namespace dash::dart
