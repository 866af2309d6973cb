#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "dash/async/Engine.h"
#include "dash/async/Operation.h"
#include "dash/core/Futex.h"
#include "launch/Session.h"
#include "teams/collectives/CollectiveOperation.h"

namespace dash::dart {

inline constexpr const char* mismatch_text =
    "the units of a team started different collectives, or the same one with different sizes; all "
    "units have to start the same collectives in the same order. No later non-blocking collective "
    "of "
    "the team can complete";

/// A collective that this unit has started.
struct QueuedCollective {
  std::unique_ptr<CollectiveOperation> operation;
  exec::StatePtr<exec::State> done;
  exec::Operation gate;  // the unit deposits nothing before this is complete
  const char* name;      // in the timeline
  std::uint64_t first_step = 0;
  bool mismatch = false;  // the units have started different collectives

  std::uint64_t end_step() const noexcept { return first_step + operation->nchunks(); }
};

/// The schedule of non-blocking collectives: those of a team that this unit has started, in order.
///
/// A collective takes one step per chunk. Steps are numbered consecutively, alike on all units. A step
/// uses the slot of its number modulo the number of slots:
///   (1) A unit deposits its contribution once all units of the node have finished the previous step
///       of this slot, and counts itself in `arrived`.
///   (2) On one node, the last unit to arrive combines the contributions. On several nodes, the node's
///       leader does when all units have arrived, and starts the exchange between the leaders. The data
///       of a root are passed on as soon as the root has arrived. `released` then publishes the result.
///   (3) Each unit collects the result and counts itself in `finished`.
/// Hence a unit that has arrived need not make progress for the others, except for leaders.
///
/// Several steps are in (1) to (3) at the same time; they finish in order.
///
/// The last unit to arrive compares the signatures of the node's units. If they differ, the numbers of
/// the units' steps have diverged, and no non-blocking one can complete any more: on one node all
/// queued collectives and all later ones of the team fail; on several nodes, where other leaders wait,
/// the job ends.
/// \threads externally synchronized, by the lock of AsyncCollectives
class CollectiveQueue {
 public:
  CollectiveQueue(Session& session, RmaDriver& driver, const NodeBlocks& blocks,
                  const TeamBlock& dimensions, dart_team_t id);

  /// What the queue provides for each chunk.
  ScheduleLimits limits() const noexcept {
    return {_dimensions.slot_contribution_bytes, _dimensions.slot_result_bytes, true};
  }

  /// \pre the operation has one round per chunk
  void push(QueuedCollective collective);
  bool empty() const noexcept { return _queue.empty(); }

  /// Advances all steps as far as possible and appends the completed collectives to `completed`.
  /// \returns whether a step was advanced
  using Completed = std::vector<QueuedCollective>;
  bool advance(Completed& completed);

  /// Registers the caller's unit as a sleeper on the words that it waits for; advance() ends the
  /// registration.
  exec::PollSource::Words wait_words(std::span<core::FutexWord> words);

  /// Clears a mismatch, so that the next runtime on the same session can use the team's memory.
  /// \pre the queues of all units are empty, and remain empty until a barrier that follows
  /// \collective over the team
  void reset_after_mismatch() noexcept;

  /// Whether other units may wait for progress of this one in collectives that it has started.
  bool others_depend() const noexcept { return !_queue.empty() && (leads() || _deposited < _end); }

  bool is_listed = false;  // in the list of AsyncCollectives

 private:
  static constexpr std::uint64_t slots = TeamBlock::slots;

  const TeamLayout& layout() const noexcept { return _blocks.layout; }
  bool on_one_node() const noexcept { return layout().nnodes() == 1; }
  bool leads() const noexcept { return !on_one_node() && layout().leads_node(); }
  std::uint32_t members() const noexcept {
    return static_cast<std::uint32_t>(layout().node_size());
  }
  static unsigned slot_of(std::uint64_t step) noexcept {
    return static_cast<unsigned>(step % slots);
  }
  /// Number of the previous steps in the same slot.
  static std::uint32_t generation(std::uint64_t step) noexcept {
    return static_cast<std::uint32_t>(step / slots);
  }
  SlotControl& control(std::uint64_t step) const noexcept;
  exec::SharedWord& mismatch_word() const noexcept;
  /// Acquire: pairs with the release of report_mismatch().
  bool has_mismatch() const noexcept {
    return mismatch_word().value.load(std::memory_order_acquire) != 0;
  }
  QueuedCollective& collective_of(std::uint64_t step) noexcept;
  Chunk chunk_of(std::uint64_t step, const QueuedCollective& collective) const noexcept;

  bool can_deposit() noexcept;
  bool can_lead() noexcept;
  bool can_finish() noexcept;
  void deposit();
  void lead();
  template <class F>
  void run_or_abort(F&& f);
  bool advance_exchanges();
  void finish(Completed& completed);
  void release(std::uint64_t step);
  void report_mismatch();
  void fail_all(Completed& completed);
  bool advance_once(Completed& completed);
  void unregister_sleeper() noexcept;

  Session& _session;
  const NodeBlocks& _blocks;
  const TeamBlock& _dimensions;
  dart_team_t _id;
  std::deque<QueuedCollective> _queue;
  // Numbers of steps: the steps before _finished are over, _end is the next number to assign.
  std::uint64_t _finished;
  std::uint64_t _led;
  std::uint64_t _deposited;
  std::uint64_t _end;
  /// The exchange of the step that is in a slot. Exists at leaders of teams on several nodes.
  struct Exchange {
    Exchange(MPI_Comm comm, RmaDriver& driver, const TeamLayout& layout, int tag) noexcept
        : leaders(comm, driver, layout, tag, LeaderExchange::Waiting::polled) {}
    LeaderExchange leaders;
    std::uint64_t step = 0;
    bool is_running = false;
  };
  std::deque<Exchange> _exchanges;
  std::vector<exec::SharedWord*> _registered;
};

}  // namespace dash::dart
