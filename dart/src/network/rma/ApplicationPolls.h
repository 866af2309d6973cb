#pragma once

#include <atomic>
#include <cstdint>

#include "network/messages/Messenger.h"

namespace dash::dart {

/// Polls MPI for calls of the application, while the library itself does not use the network: such a call at
/// another unit may need progress of this one.
class ApplicationPolls {
 public:
  /// \param interval_ns  the longest time between two polls of a waiting caller; 0: none are needed
  explicit ApplicationPolls(std::uint64_t interval_ns) noexcept : _interval_ns(interval_ns) {}

  /// The longest time between two polls of a waiting caller, in nanoseconds; 0: none are needed. It is
  /// shorter while MPI moves data of the application, and for a while afterwards. \threads thread-safe
  std::uint64_t interval_ns() const noexcept;
  /// From now on, the interval is at most NetworkConfig::often_ns, unless it is 0. \threads thread-safe
  void make_frequent() noexcept;
  bool are_frequent() const noexcept;

  /// Whether a thread that runs inside the library has to poll now. \threads thread-safe
  bool are_due() const noexcept;
  /// \pre one thread at a time
  void poll(Messenger& messenger);

 private:
  bool examine(Messenger& messenger);
  std::uint64_t timed_poll(Messenger& messenger);

  // All relaxed: they publish no data. A thread that reads an old value polls or sleeps once more or less.
  std::atomic<std::uint64_t> _interval_ns;
  std::atomic<std::uint64_t> _last_poll_ns{0};
  std::atomic<std::uint64_t> _last_data_ns{0};   // a poll at this time moved data
  std::uint64_t _shortest_poll_ns = UINT64_MAX;  // belongs to the thread that polls
};

}  // namespace dash::dart
