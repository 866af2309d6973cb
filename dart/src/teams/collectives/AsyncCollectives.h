#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "teams/collectives/CollectiveQueue.h"
#include "base/CoalescingLock.h"
#include "dash/async/Engine.h"

namespace dash::dart {

class Team;

/// The non-blocking collectives of this unit, of all teams: a source of the engine.
///
/// Who waits looks at them and sleeps on their words. The progress thread does so, too, where other
/// units depend on this one, and once something is attached to a future.
/// \threads any
class AsyncCollectives final : public exec::PollSource {
 public:
  /// Never destroyed, as the engine.
  static AsyncCollectives& instance() noexcept;

  void start(Team& team, std::unique_ptr<PendingCollective> collective);
  /// Returns when none of the team's are left. \blocks until then
  void finish(Team& team);
  void want_thread() noexcept;

  /// Whether the progress thread may go on with them: it calls MPI, between nodes.
  void let_thread_poll(bool may) noexcept {
    _thread_may_poll.store(may, std::memory_order_relaxed);
  }

  bool poll() noexcept override;
  bool thread_may_poll() const noexcept override {
    return _thread_may_poll.load(std::memory_order_relaxed);
  }
  exec::Demand demand() const noexcept override;
  Words words_to_sleep_on(std::span<core::FutexWord> words) noexcept override;
  bool watches() const noexcept override { return _active.load(std::memory_order_seq_cst) != 0; }
  bool thread_watches() const noexcept override {
    return thread_may_poll() && _thread_wanted.load(std::memory_order_seq_cst);
  }
  bool thread_is_behind() noexcept override;

 private:
  void leave_to_thread(const Team& team, bool large) noexcept;
  bool advance(CollectiveQueue::Over& over);
  static void complete(CollectiveQueue::Over& over) noexcept;
  static void wake_sleepers() noexcept;

  CoalescingLock _lock;  // guards the queues and what follows
  std::vector<CollectiveQueue*> _queues;
  bool _followed = false;  // something is attached
  std::atomic<std::size_t> _active{0};
  std::atomic<bool> _thread_wanted{false};
  std::atomic<bool> _thread_may_poll{true};
  // A caller has gone on with them since the thread went to sleep on their words.
  std::atomic<bool> _thread_is_behind{false};
  std::atomic<std::uint64_t> _told_until{0};  // ns; a hint
};

}  // namespace dash::dart
