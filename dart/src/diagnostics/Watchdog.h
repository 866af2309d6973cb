#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "dash/core/Futex.h"
#include "launch/Session.h"
#include "network/rma/RmaDriver.h"

namespace dash::dart {

/// Detects waits that last too long, and makes every unit report its waits (DART_WATCHDOG_S).
///
/// A thread of each unit checks the waits of the unit several times a second. If one is overdue, it raises
/// the flag of the host and sends a message to the first unit of each other node, which raises the flag of
/// its host. Each unit that finds the flag of its host raised reports its waits. The program continues.
class Watchdog {
 public:
  /// \param timeout_s  seconds after which a wait is overdue, equal on all units; 0 disables the watchdog
  Watchdog(Session& session, RmaDriver& driver, unsigned timeout_s);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// \pre all units can receive messages
  void start();
  /// Stops sending messages: later overdue waits are reported by the units of this host only.
  void stop_sending() noexcept;

  /// Number of messages from units with overdue waits. \threads thread-safe
  std::uint64_t requests_received() const noexcept {
    return _received.load(std::memory_order_relaxed);
  }

 private:
  void run() noexcept;
  bool raise_flag() noexcept;
  void notify_other_nodes();
  void report() const;

  Session& _session;
  RmaDriver& _driver;
  const std::uint64_t _timeout_ns;
  std::thread _thread;
  // Stored before _wake is notified, loaded after prepare(): the EventCount orders the two.
  std::atomic<bool> _stop{false};
  core::EventCount _wake;
  std::mutex _mutex;  // guards _may_send, and is held while sending
  bool _may_send = false;
  std::atomic<std::uint64_t> _received{0};  // relaxed: a statistics counter
};

}  // namespace dash::dart
