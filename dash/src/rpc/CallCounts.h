#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

#include "dash/async/Engine.h"
#include "dash/async/Executor.h"

namespace dash::internal {

/// The calls of one team: this unit's counts, which only grow while the team exists.
///
/// A call is counted as sent before its message exists. It is counted as ended when the function has ended, with all that
/// it waits for, and, if the caller expects a reply, by the caller after its future is ready. So `ended` never exceeds
/// `sent`, summed over the units, and they are equal if and only if no call is pending.
class CallCounts {
 public:
  void count_sent() noexcept { _sent.fetch_add(1, std::memory_order_seq_cst); }
  void count_ended() noexcept { _ended.fetch_add(1, std::memory_order_seq_cst); }
  /// Waits for the calls of this unit. Then forgets them: the team has ended, and another one with the same id may have
  /// other members, whose sums would differ.
  void reset() noexcept;

  std::uint64_t sent() const noexcept { return _sent.load(std::memory_order_seq_cst); }
  std::uint64_t ended() const noexcept { return _ended.load(std::memory_order_seq_cst); }

  /// Calls that this unit has received or waits for: quiesce() lets them end before it communicates again.
  void begin_unfinished() noexcept { _unfinished.fetch_add(1, std::memory_order_seq_cst); }
  void end_unfinished() noexcept {
    if (_unfinished.fetch_sub(1, std::memory_order_seq_cst) == 1)
      exec::Engine::instance().completed();
  }
  std::uint64_t unfinished() const noexcept { return _unfinished.load(std::memory_order_seq_cst); }

  /// Keeps the first error of a call that expects no reply, until it is taken.
  void set_error(std::exception_ptr error) noexcept {
    std::lock_guard lock(_mutex);
    if (_error == nullptr) _error = std::move(error);
  }
  std::exception_ptr take_error() noexcept {
    std::lock_guard lock(_mutex);
    return std::exchange(_error, nullptr);
  }

  /// The counts of a team, by its id. Never destroyed.
  static CallCounts& of_team(exec::JobTag team);
  /// The same, or null if the team has had no calls.
  static CallCounts* find(exec::JobTag team) noexcept;
  /// The latest counts of a team that has had calls. Those of other teams follow by next().
  static const CallCounts* latest() noexcept;
  const CallCounts* next() const noexcept { return _next; }

 private:
  // Sequentially consistent: quiesce() reads `ended` of all units before `sent` of any.
  std::atomic<std::uint64_t> _sent{0};
  std::atomic<std::uint64_t> _ended{0};
  std::atomic<std::uint64_t> _unfinished{0};
  const CallCounts* _next = nullptr;  // set before other threads know this object
  std::mutex _mutex;                  // guards _error
  std::exception_ptr _error;
};

}  // namespace dash::internal
