#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/CoalescingLock.h"
#include "dash/async/Engine.h"
#include "teams/collectives/CollectiveQueue.h"

namespace dash::dart {

class Team;

/// The non-blocking collectives of this unit, of all teams: a poll source of the engine.
///
/// Threads that wait poll it and sleep on its words. The progress thread does the same while other units
/// depend on this one, or once a continuation is attached to a future of a collective.
/// \threads thread-safe
class AsyncCollectives final : public exec::PollSource {
 public:
  /// Never destroyed, like the engine.
  static AsyncCollectives& instance() noexcept;

  void start(Team& team, QueuedCollective collective);
  /// Waits until the team has no pending collective.
  void finish(Team& team);
  /// Makes the progress thread advance the collectives that are pending now.
  void request_thread() noexcept;

  /// Sets whether the progress thread may advance collectives: between nodes it then calls MPI.
  void set_thread_may_poll(bool may_poll) noexcept {
    _thread_may_poll.store(may_poll, std::memory_order_relaxed);
  }

  bool poll() noexcept override;
  bool thread_may_poll() const noexcept override {
    return _thread_may_poll.load(std::memory_order_relaxed);
  }
  exec::Demand demand() const noexcept override;
  Words wait_words(std::span<core::FutexWord> words, bool by_thread) noexcept override;
  bool has_wait_words() const noexcept override {
    return _active.load(std::memory_order_seq_cst) != 0;
  }
  bool wakes_progress_thread() const noexcept override {
    return thread_may_poll() && _thread_requested.load(std::memory_order_seq_cst);
  }
  bool thread_must_recheck() noexcept override;

 private:
  void notify_thread(const Team& team, bool large) noexcept;
  bool advance(CollectiveQueue::Completed& completed);
  static void complete(CollectiveQueue::Completed& completed) noexcept;
  static void wake_sleepers() noexcept;

  CoalescingLock _lock;  // guards the queues, and _queues and _has_continuation
  std::vector<CollectiveQueue*> _queues;
  bool _has_continuation = false;
  // Stored under the lock. Sequentially consistent, since a thread that goes to sleep registers and
  // then loads them, and a thread that changes them then checks for sleepers.
  std::atomic<std::size_t> _active{0};  // queues that are not empty
  std::atomic<bool> _thread_requested{false};
  std::atomic<bool> _thread_may_poll{true};  // relaxed: a setting, stored before the engine starts
  // A caller has advanced collectives since the thread went to sleep on their words. Sequentially
  // consistent, like _thread_requested: a caller that exchanges true also reads the request that was
  // stored before the latest store of true, or a newer one, and wakes the thread.
  std::atomic<bool> _thread_words_outdated{false};
  std::atomic<std::uint64_t> _next_notification_ns{0};  // relaxed: a hint
};

}  // namespace dash::dart
