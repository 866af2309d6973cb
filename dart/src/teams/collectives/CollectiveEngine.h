#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "dash/async/Watch.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Collective.h"
#include "launch/Session.h"
#include "launch/TeamBlock.h"
#include "teams/TeamLayout.h"
#include "teams/collectives/CollectiveOperation.h"
#include "teams/collectives/CollectiveQueue.h"
#include "teams/collectives/LeaderExchange.h"
#include "teams/collectives/Reduction.h"

namespace dash::dart {

/// The collectives of one team. A CollectiveOperation describes each; this class executes operations
/// with the blocking schedule, and CollectiveQueue executes those that were started.
///
/// The blocking schedule passes one chunk at a time through the team's memory:
///   (1) Every unit deposits its contribution in its own block and adds one to `arrived`.
///   (2) When all units of the node have arrived, one of them combines the contributions: on a
///       single node the last unit to arrive, which need not wait for another one; on several nodes
///       the node's first member, which then exchanges the result with the other leaders.
///   (3) That unit publishes `released`, and every unit collects the result.
/// Steps (2) and (3) are a round. Rounds use the two halves of a block in turn. When a unit writes to a
/// half again, it has passed the round in between, which all units entered after they had read the half.
///
/// \threads the blocking collectives of a team: one at a time; a second one is an error
class CollectiveEngine {
 public:
  /// \param block  offset of the team's block in the heap of each member; the block reads as zero
  CollectiveEngine(Session& session, RmaDriver& driver, const TeamLayout& layout,
                   const TeamBlock& dimensions, std::uint64_t block, dart_team_t id);
  ~CollectiveEngine() { _interface->close(); }
  CollectiveEngine(const CollectiveEngine&) = delete;
  CollectiveEngine& operator=(const CollectiveEngine&) = delete;

  /// \name Blocking collectives
  /// Sizes are those of the data of one unit, in bytes. A collective of no bytes does not synchronize.
  /// \collective over the team  \blocks until the units whose data the caller needs have called it
  /// \throws exception::InvalidArgument for wrong arguments, and if a blocking collective of the team is
  ///         active in this unit
  /// @{
  void barrier();
  /// A barrier that the program calls. At its end, calls the function of at_next_barrier() once.
  void barrier_of_program();
  void bcast(void* buffer, std::size_t nbytes, int root);
  void gather(const void* send, void* recv, std::size_t nbytes, int root);
  void scatter(const void* send, void* recv, std::size_t nbytes, int root);
  /// \param send  null or recv: in place
  void allgather(const void* send, void* recv, std::size_t nbytes);
  /// \param send  null or recv: in place
  /// \param nbytes, displacements  of each unit; the same on all units
  void allgatherv(const void* send, void* recv, const std::size_t* nbytes,
                  const std::size_t* displacements);
  /// \param send  null or recv: in place
  void alltoall(const void* send, void* recv, std::size_t nbytes);
  /// \param send, recv  may be the same; recv is ignored at other units than the root
  void reduce(const void* send, void* recv, std::size_t nelem, const Reduction& reduction,
              int root);
  void allreduce(const void* send, void* recv, std::size_t nelem, const Reduction& reduction);
  /// @}

  /// \param function  replaces the one that was set before
  void at_next_barrier(std::function<void()> function) { _at_next_barrier = std::move(function); }

  /// The last blocking collective of a team: when it returns, no other unit accesses the caller's block, except for a
  /// last load of the number of sleepers, whose value does not matter.
  void leave();

  /// The blocking collectives, for the C++ layers.
  const std::shared_ptr<TeamCollectives>& interface() const noexcept { return _interface; }
  /// The non-blocking collectives; the blocking ones do not affect their order.
  CollectiveQueue& queue() noexcept { return _queue; }

 private:
  class ActiveCollective;

  bool on_one_node() const noexcept { return _layout.nnodes() == 1; }
  ScheduleLimits limits() const noexcept {
    return {_dimensions.contribution_bytes, _dimensions.result_bytes, false};
  }
  ChunkArea contributions(std::uint32_t half) const noexcept;
  ChunkArea results(std::uint32_t half) const noexcept;

  template <class Operation>
  void run(Operation&& operation);
  void wait_for_members();
  void wait_for_leader();
  void combine(const void* send, void* recv, std::size_t nelem, const Reduction& reduction,
               int to_unit);
  void reduce_gathered(const char* send, char* recv, std::size_t nelem, const Reduction& reduction);

  Session& _session;
  const TeamLayout& _layout;
  TeamBlock _dimensions;
  dart_team_t _id;
  NodeBlocks _blocks;
  TeamControl& _control;
  LeaderExchange _leaders;
  CollectiveQueue _queue;
  std::uint32_t _round;  // rounds that this unit has entered
  // Acquired and released like a lock: a collective sees what the previous one has written in another thread.
  std::atomic<bool> _active{false};
  std::function<void()> _at_next_barrier;
  std::shared_ptr<TeamCollectives> _interface = std::make_shared<TeamCollectives>(*this);
};

}  // namespace dash::dart
