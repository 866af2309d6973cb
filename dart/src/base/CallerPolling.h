#pragma once

#include <atomic>
#include <cstdint>

namespace dash::dart {

/// Whether callers poll a source, which the progress thread finds out whenever its turn comes.
class CallerPolling {
 public:
  /// A caller does what the thread would do otherwise. A hint: stores of several callers may undo each
  /// other. \threads any
  void count() noexcept {
    _polls.store(_polls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// \returns whether callers have polled since the last look  \threads the progress thread, as found()
  bool look() noexcept {
    const std::uint64_t polls = _polls.load(std::memory_order_relaxed);
    _found = polls != _seen;
    _seen = polls;
    return _found;
  }
  /// What the last look said.
  bool found() const noexcept { return _found; }

 private:
  std::atomic<std::uint64_t> _polls{0};
  std::uint64_t _seen = 0;  // these two by the thread only
  bool _found = false;
};

}  // namespace dash::dart
