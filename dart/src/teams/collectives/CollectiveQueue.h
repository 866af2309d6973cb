#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "teams/collectives/PendingCollective.h"
#include "launch/Session.h"
#include "dash/async/Engine.h"
#include "dash/core/Futex.h"

namespace dash::dart {

inline constexpr const char* different_collectives =
    "the units of a team started different collectives, or the same with different sizes; all have "
    "to start the same ones in the same order, and the team can complete none of those that follow";

/// The non-blocking collectives of a team that this unit has started, in their order.
///
/// Each consists of steps, a piece of its data each; steps are numbered through, alike on all units.
/// A step passes through the slot of its number modulo their count:
///   (1) a unit writes its contribution there, once all units of the node have finished the step
///       before in this slot, and counts itself in `arrived`;
///   (2) the last to arrive (on one node) combines what there is; or the node's leader does when all
///       have arrived, and exchanges it with the other leaders. What only one unit has is passed on
///       as soon as that unit has arrived. `released` then says so;
///   (3) each unit reads the result and counts itself in `finished`.
/// So nobody depends on another unit's progress after that has arrived, but for the leaders'.
///
/// Several steps are in (1) to (3) at once; they finish in their order.
///
/// The last to arrive sees whether all of the node have started the same. If not, the numbers of their
/// steps differ from there on, and nothing of the team can complete any more: on one node all that the
/// team has started, and will start, fails; between nodes, where others wait for the leader, the job
/// ends.
/// \threads one at a time: under the lock of AsyncCollectives
class CollectiveQueue {
 public:
  CollectiveQueue(Session& session, RmaDriver& driver, const TeamLayout& layout,
                  const TeamBlock& block, std::uint64_t place, dart_team_t id);

  void push(std::unique_ptr<PendingCollective> collective);
  bool empty() const noexcept { return _queue.empty(); }
  const TeamBlock& block() const noexcept { return _block; }

  /// Goes on as far as it can. Those that are over are appended to `over`.
  /// \returns whether anything was done
  using Over = std::vector<std::unique_ptr<PendingCollective>>;
  bool advance(Over& over);

  /// Registers the caller's unit as a sleeper on what it waits for; advance() ends that.
  exec::PollSource::Words words_to_sleep_on(std::span<core::FutexWord> words);

  /// Begins anew what is out of step, for another life of the runtime.
  /// \pre the queues of all units are empty, and stay so until a barrier; by all of them
  void restart() noexcept;

  /// Whether others may wait for this unit to go on, though it has started what they wait for.
  bool others_depend() const noexcept { return !_queue.empty() && (leads() || _deposited < _end); }

  bool in_list = false;  // of AsyncCollectives

 private:
  static constexpr std::uint64_t slots = TeamBlock::slots;

  bool leads() const noexcept { return _layout.nnodes() > 1 && _layout.leads_node(); }
  std::uint32_t members() const noexcept { return static_cast<std::uint32_t>(_layout.node_size()); }
  static unsigned slot_of(std::uint64_t step) noexcept {
    return static_cast<unsigned>(step % slots);
  }
  static std::uint32_t generation(std::uint64_t step) noexcept {
    return static_cast<std::uint32_t>(step / slots);
  }
  char* control_block() const noexcept { return memory(0).block_of(_layout.members.front()); }
  SlotControl& control(std::uint64_t step) const noexcept;
  exec::SharedWord& out_of_step() const noexcept;
  bool is_out_of_step() const noexcept {
    return out_of_step().value.load(std::memory_order_acquire) != 0;
  }
  SlotMemory memory(std::uint64_t step) const noexcept {
    return {_base, _stride, _layout, _block, slot_of(step)};
  }
  PendingCollective& collective_of(std::uint64_t step) noexcept;

  bool may_deposit() noexcept;
  bool may_lead() noexcept;
  bool may_finish() noexcept;
  void deposit();
  void lead();
  bool advance_exchanges();
  void finish(Over& over);
  void release(std::uint64_t step);
  void break_off();
  void give_up(Over& over);
  template <class F>
  void or_abort(F f);

  Session& _session;
  const TeamLayout& _layout;
  const TeamBlock& _block;
  dart_team_t _id;
  char* _base;
  std::uint64_t _stride;
  std::deque<std::unique_ptr<PendingCollective>> _queue;
  // Numbers of steps: none left before the first, none begun from the last on.
  std::uint64_t _finished;
  std::uint64_t _led;
  std::uint64_t _deposited;
  std::uint64_t _end;
  struct Exchange {
    std::uint64_t step = 0;
    PolledCoroutine steps;
  };
  std::vector<LeaderExchange> _leaders;  // one for each slot
  std::array<Exchange, TeamBlock::slots> _exchanges;
  std::vector<exec::SharedWord*> _registered;
};

}  // namespace dash::dart
