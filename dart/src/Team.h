#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "Reduce.h"
#include "Session.h"
#include "dash/async/Engine.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

class RmaDriver;

/// The words on which the units of a team meet on a node; in the heap of the node's first unit.
/// Serial numbers: they only grow, and nobody resets them.
struct TeamControl {
  alignas(64) async::SharedWord arrived;   // units that have entered, over all collectives
  alignas(64) async::SharedWord released;  // collectives that are over
};

/// A set of units, and its collectives: through shared memory on a node, by the nodes' leaders
/// between nodes.
///
/// Schedule of a collective. (1) Every unit writes its contribution to its own buffer and adds one
/// to `arrived`. (2) When all have, the leader combines what the node has, exchanges it with the
/// other leaders and writes the result to its own buffer; on a single node the last unit to arrive
/// takes the leader's place, and there is nothing to exchange. (3) It publishes `released`, and
/// everybody reads. Buffers alternate between two halves: who writes to a half again has been
/// through (3) of the collective in between, which all have entered after they had read that half.
class Team {
 public:
  /// The team of all units.
  Team(Session& session, RmaDriver& driver);

  dart_team_t id() const noexcept { return DART_TEAM_ALL; }
  int size() const noexcept { return _layout.nunits; }
  int my_id() const noexcept { return _layout.unit; }
  /// Slot on the caller's node of each unit of the team, or -1.
  const std::int32_t* slots() const noexcept { return _layout.slots.data(); }
  /// Global id of each unit of the team.
  const std::int32_t* units() const noexcept { return _units.data(); }

  void barrier();
  void bcast(void* buffer, std::size_t nbytes, int root);
  void allgather(const void* send, void* recv, std::size_t nbytes_each);
  /// send may equal recv
  void allreduce(const void* send, void* recv, std::size_t nelem, dart_datatype_t type,
                 dart_operation_t op);

 private:
  /// Bytes of one half of a unit's contribution and of a leader's result.
  static constexpr std::size_t contribution_bytes = 64 * 1024;
  static constexpr std::size_t result_bytes = 256 * 1024;

  char* contribution_of(int slot) const noexcept;
  char* result() const noexcept;
  char* my_contribution() const noexcept { return contribution_of(_layout.slot()); }

  /// One collective: steps (1) to (3), the contribution having been written. `lead` is step (2)
  /// and is called by one unit of each node.
  void meet(async::FunctionRef<void()> lead);
  void meet_on_one_node(async::FunctionRef<void()> lead);
  void meet_on_several_nodes(async::FunctionRef<void()> lead);
  void wait_for(MPI_Request request);

  void allgather_between_nodes(std::size_t nbytes);
  void allreduce_chunk(const char* send, char* recv, std::size_t nelem, dart_datatype_t type,
                       dart_operation_t op);

  Session& _session;
  RmaDriver& _driver;
  const Layout& _layout;
  TeamControl& _control;
  std::uint32_t _round;  // collectives entered
  std::vector<std::int32_t> _units;
  std::vector<int> _node_sizes;
  std::vector<int> _node_first;  // units of the nodes before
  std::vector<int> _node_order;  // place of each unit when sorted by node and slot
};

}  // namespace dash::dart
