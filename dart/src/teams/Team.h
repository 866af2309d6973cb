#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include "teams/collectives/CollectiveQueue.h"
#include "teams/collectives/LeaderExchange.h"
#include "teams/collectives/Reduce.h"
#include "launch/Session.h"
#include "teams/TeamBlock.h"
#include "teams/TeamLayout.h"
#include "dash/async/Engine.h"
#include "dash/async/Watch.h"
#include "dash/core/Statistics.h"
#include "dash/core/mapping/GridMapping.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

class RmaDriver;

/// A set of units, and its collectives: through shared memory on a node, by the nodes' leaders
/// between nodes. It has no object of MPI's, until a communicator is asked for.
///
/// Schedule of a collective. (1) Every unit writes its contribution to its own buffer and adds one
/// to `arrived`. (2) When all have, the leader combines what the node has, exchanges it with the
/// other leaders and writes the result to its own buffer; on a single node the last unit to arrive
/// takes the leader's place, and there is nothing to exchange. (3) It publishes `released`, and
/// everybody reads. Buffers alternate between two halves: who writes to a half again has been
/// through (3) of the collective in between, which all have entered after they had read that half.
///
/// \threads collectives of one team: one at a time; a second one is an error
class Team {
 public:
  /// \param block  where the team's block lies in each member's heap; it reads as zero
  Team(Session& session, RmaDriver& driver, dart_team_t id, TeamLayout layout,
       const TeamBlock& dimensions, std::uint64_t block);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  dart_team_t id() const noexcept { return _id; }
  int size() const noexcept { return _layout.size(); }
  int my_id() const noexcept { return _layout.my_id; }
  /// Slot on the caller's node of each unit of the team, or -1.
  const std::int32_t* slots() const noexcept { return _layout.slots.data(); }
  /// Global id of each unit of the team.
  const std::int32_t* units() const noexcept { return _layout.units.data(); }
  /// Id in the team of a unit given by its global id, or -1.
  std::int32_t local_id(std::int32_t global) const noexcept { return _layout.id_of(global); }
  const TeamLayout& layout() const noexcept { return _layout; }
  std::uint64_t block() const noexcept { return _block; }

  /// The grid that the order of the members is for; without extents if there is none.
  const core::mapping::Grid& grid() const noexcept { return _grid; }
  void set_grid(core::mapping::Grid grid) { _grid = std::move(grid); }

  /// \name Collectives
  /// Sizes in bytes are of one unit's part; what is said of send == recv holds for null, too.
  /// @{
  void barrier();
  void bcast(void* buffer, std::size_t nbytes, int root);
  void gather(const void* send, void* recv, std::size_t nbytes, int root);
  void scatter(const void* send, void* recv, std::size_t nbytes, int root);
  /// In place if send equals recv.
  void allgather(const void* send, void* recv, std::size_t nbytes);
  /// \param nbytes, displacements  of each unit, in bytes; the same on all
  void allgatherv(const void* send, void* recv, const std::size_t* nbytes,
                  const std::size_t* displacements);
  /// In place if send equals recv.
  void alltoall(const void* send, void* recv, std::size_t nbytes);
  /// send may equal recv. \param recv  null where the result is not wanted
  void allreduce(const void* send, void* recv, std::size_t nelem, const Reduction& reduce);
  void allreduce(const void* send, void* recv, std::size_t nelem, dart_datatype_t type,
                 dart_operation_t op) {
    allreduce(send, recv, nelem, find_reduction(op, type));
  }
  /// @}

  /// Its non-blocking collectives, which may be mixed with the others; see AsyncCollectives.
  CollectiveQueue& queue() noexcept { return _queue; }

  /// The last collective: when it returns, nobody touches this unit's block any more.
  void leave();

  /// A communicator of the members, in the order of their ids; made when first asked for.
  /// \collective over the team
  MPI_Comm communicator();

  /// Segments of this team that are alive, by id.
  std::unordered_set<std::int16_t>& segments() noexcept { return _segments; }

 private:
  /// Marks the team as being in a collective, from its first look at shared memory to its last.
  class Entered {
   public:
    /// \param what  for who watches: a format for the id of the team, and a unit's if there is one
    Entered(Team& team, const char* what, core::OperationKind kind, std::size_t nbytes,
            int unit = 0);
    ~Entered() { _team._entered.store(false, std::memory_order_release); }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

   private:
    Team& _team;
    exec::Purpose _purpose;
  };

  bool one_node() const noexcept { return _layout.nnodes() == 1; }
  std::uint32_t half() const noexcept { return _round % 2; }
  char* block_of(int unit) const noexcept;
  /// Where a unit's contribution of so many bytes lies; the size decides, so all name the same.
  char* contribution_of(int unit, std::size_t nbytes, std::uint32_t half) const noexcept;
  char* contribution_of(int unit, std::size_t nbytes) const noexcept {
    return contribution_of(unit, nbytes, half());
  }
  char* my_contribution(std::size_t nbytes) const noexcept {
    return contribution_of(my_id(), nbytes);
  }
  /// Where the result of the node's leader lies.
  char* result(std::size_t nbytes) const noexcept;
  /// Where a unit's part lies that all were given through contributions (one node) or the result.
  const char* given_by(int unit, std::size_t nbytes) const noexcept;

  /// One collective: steps (1) to (3), the contribution having been written. `lead` is step (2)
  /// and is called by one unit of each node.
  void exchange_all(const void* send, void* recv, std::size_t nbytes);
  template <class NbytesOf, class PlaceOf>
  void exchange_pieces(const void* send, void* recv, std::size_t longest, NbytesOf nbytes_of,
                       PlaceOf place_of);
  void meet(exec::FunctionRef<void()> lead);
  void meet_on_one_node(exec::FunctionRef<void()> lead);
  void meet_on_several_nodes(exec::FunctionRef<void()> lead);

  void give_to_all(std::size_t nbytes);
  void alltoall_piece(const char* send, char* recv, std::size_t nbytes, std::size_t length);
  void alltoall_with_node(int distance, std::uint32_t from_half, char* recv, std::size_t nbytes,
                          std::size_t length);
  void allreduce_small(const char* send, char* recv, std::size_t nelem, const Reduction& reduce);
  void allreduce_large(const char* send, char* recv, std::size_t nelem, const Reduction& reduce);
  void allreduce_in_order(const char* send, char* recv, std::size_t nelem, const Reduction& reduce);

  Session& _session;
  RmaDriver& _driver;
  dart_team_t _id;
  TeamLayout _layout;
  TeamBlock _dimensions;
  std::uint64_t _block;
  core::mapping::Grid _grid;
  TeamControl& _control;
  LeaderExchange _leaders;
  CollectiveQueue _queue;
  std::uint32_t _round;  // meetings entered
  std::atomic<bool> _entered{false};
  MPI_Comm _communicator = MPI_COMM_NULL;
  std::unordered_set<std::int16_t> _segments;
};

}  // namespace dash::dart
