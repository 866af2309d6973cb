#pragma once

#include <atomic>
#include <cstdint>

#include "base/ProcessorTicks.h"

namespace dash::dart {

/// Detects whether callers poll a source, so that the progress thread need not poll it, too.
class CallerPolling {
 public:
  /// Counts a poll by a caller, and stores its time. Count and time are hints: concurrent stores of
  /// several callers may overwrite each other. So the orders are relaxed.
  /// \threads thread-safe
  void count_poll() noexcept {
    count_next_poll();
    _last_poll.store(processor_ticks(), std::memory_order_relaxed);
  }
  /// The same for the polls that follow at once, without the time.
  void count_next_poll() noexcept {
    _polls.store(_polls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// \returns whether callers have polled since the previous call
  /// \threads the progress thread only, as was_active()
  bool check() noexcept {
    const std::uint64_t polls = _polls.load(std::memory_order_relaxed);
    _was_active = polls != _seen;
    _seen = polls;
    return _was_active;
  }
  /// Result of the last check().
  bool was_active() const noexcept { return _was_active; }
  /// Whether callers have polled within some tenths of a millisecond.
  bool is_active_now() const noexcept {
    constexpr std::uint64_t recent_ticks = std::uint64_t{1} << 19;
    return processor_ticks() - _last_poll.load(std::memory_order_relaxed) < recent_ticks;
  }

 private:
  std::atomic<std::uint64_t> _polls{0};
  std::atomic<std::uint64_t> _last_poll{0};  // in ticks
  // These two belong to the progress thread.
  std::uint64_t _seen = 0;
  bool _was_active = false;
};

}  // namespace dash::dart
