#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "teams/collectives/Reduce.h"
#include "teams/collectives/PolledCoroutine.h"
#include "teams/TeamLayout.h"
#include "dash/async/Operation.h"

namespace dash::dart {

class RmaDriver;

/// What the leaders of a team's nodes do among each other: messages on one communicator of the
/// session for all teams, told apart by the team's id as their tag. So a team needs nothing of
/// MPI's own.
///
/// Two leaders exchange messages in the same order on both sides, as the collectives of a team come
/// one after the other, and MPI keeps the order of a pair: nothing else has to tell them apart.
/// Every call is made by all leaders; none blocks inside MPI. What is called x_steps() begins and goes
/// on when somebody advances it, and the exchange and its data have to live until it has ended.
class LeaderExchange {
 public:
  LeaderExchange(MPI_Comm comm, RmaDriver& driver, const TeamLayout& layout, int tag) noexcept
      : _comm(comm), _driver(driver), _layout(layout), _tag(tag) {}

  void barrier();
  PolledCoroutine barrier_steps();
  void bcast(void* data, std::size_t nbytes, int root_node) {
    bcast_steps(data, nbytes, root_node).run();
  }
  PolledCoroutine bcast_steps(void* data, std::size_t nbytes, int root_node);
  /// Each node's part of `data` goes to all: `unit_bytes` for each of its units, in the order of the
  /// nodes. The own part is in place.
  void allgather(char* data, std::size_t unit_bytes);
  PolledCoroutine allgather_steps(char* data, std::size_t unit_bytes);
  /// Each node's part goes to the root, in place.
  void gather(char* data, std::size_t unit_bytes, int root_node);
  /// The root's data goes in parts to all, each to its place.
  void scatter(char* data, std::size_t unit_bytes, int root_node);
  /// inout = the combination of all leaders' in the order of their nodes, with the same bits for
  /// all. `scratch` has the same size.
  void allreduce(char* inout, char* scratch, std::size_t nelem, const Reduction& reduce) {
    allreduce_steps(inout, scratch, nelem, reduce).run();
  }
  static constexpr int all_nodes = -1;
  /// \param scratch  null: memory of the exchange, which has one of these at a time
  /// \param to_node  where the result goes, if not to all; inout of the others then holds anything
  PolledCoroutine allreduce_steps(char* inout, char* scratch, std::size_t nelem, const Reduction& reduce,
                        int to_node = all_nodes);

  /// Sends to one node and receives from another; both calls of a pair are made in the same round.
  void exchange(int to_node, const void* send, std::size_t send_bytes, int from_node, void* recv,
                std::size_t recv_bytes);

 private:
  PolledCoroutine doubling_steps(char* inout, char* scratch, std::size_t nelem, Reduction reduce);
  PolledCoroutine halving_steps(char* inout, char* scratch, std::size_t nelem, Reduction reduce, int to_node);
  int my_node() const noexcept { return _layout.node; }
  int nnodes() const noexcept { return _layout.nnodes(); }
  /// So many nodes further, in a circle. \pre |distance| <= nnodes()
  int node_at(int distance) const noexcept { return (my_node() + distance + nnodes()) % nnodes(); }
  std::size_t part_bytes(int node, std::size_t unit_bytes) const noexcept;
  char* part(char* data, int node, std::size_t unit_bytes) const noexcept;
  MPI_Request start_send(int node, const void* data, std::size_t nbytes);
  MPI_Request start_receive(int node, void* data, std::size_t nbytes);
  exec::Operation send(int node, const void* data, std::size_t nbytes);
  exec::Operation receive(int node, void* data, std::size_t nbytes);

  MPI_Comm _comm;
  RmaDriver& _driver;
  const TeamLayout& _layout;
  int _tag;
  std::unique_ptr<char[]> _scratch;
  std::size_t _scratch_bytes = 0;
};

}  // namespace dash::dart
