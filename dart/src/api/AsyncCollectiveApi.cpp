// Non-blocking collectives of the C++ layers.

#include <memory>
#include <utility>

#include "api/Boundary.h"
#include "base/Error.h"
#include "dash/dart/Collective.h"
#include "teams/Team.h"
#include "teams/collectives/AsyncCollectives.h"
#include "teams/collectives/CollectiveArguments.h"
#include "teams/collectives/DataOperations.h"
#include "teams/collectives/ReduceOperation.h"

namespace dash::dart {

namespace {

/// \param label  describes the collective to the watchdog
/// \param name   names it in the timeline
void start(Done done, const exec::Label& label, const char* name, Team& team,
           std::unique_ptr<CollectiveOperation> operation, exec::Operation gate = {}) {
  *done.label = label;
  AsyncCollectives::instance().start(
      team, {std::move(operation), std::move(done.state), std::move(gate), name});
}

std::unique_ptr<CollectiveOperation> reduce_operation(Team& team, const void* send, void* recv,
                                                      std::size_t nelem, dart_datatype_t type,
                                                      dart_operation_t op, int to_unit) {
  if (op >= DART_OP_LAST) {
    throw_error(DART_ERR_INVAL,
                "operation {} was created by dart_op_create; only blocking collectives accept it",
                op);
  }
  const std::size_t nbytes = Runtime::get().bytes_of(nelem, type);
  check_pairs(nelem, op);
  const Reduction reduction = predefined_reduction(op, type);
  check_buffer(send, nbytes, "send");
  if (to_unit == ReduceOperation::all_units || to_unit == team.my_id())
    check_buffer(recv, nbytes, "recv");
  return std::make_unique<ReduceOperation>(team.layout(), team.collectives().queue().limits(), send,
                                           recv, nelem, reduction, to_unit,
                                           is_ordered(team.layout(), reduction));
}

}  // namespace

void watch_collectives() noexcept {
  AsyncCollectives::instance().request_thread();
}

void start_barrier(Done done, dart_team_t team, bool completes_transfers) {
  Runtime& runtime = Runtime::get();
  start(std::move(done), {"a barrier_async of team {}", {team}}, "barrier_async",
        runtime.team(team), std::make_unique<BarrierOperation>(),
        completes_transfers ? runtime.pending_operations().settled() : exec::Operation());
}

void start_bcast(Done done, void* buffer, std::size_t nbytes, int root, dart_team_t team) {
  Team& members = team_of(team);
  check_buffer(buffer, nbytes, "buffer");
  check_root(members.layout(), root, team);
  const exec::Label label{"a bcast_async in team {} from unit {}, of {} bytes",
                          {team, root, static_cast<long>(nbytes)}};
  start(std::move(done), label, "bcast_async", members,
        std::make_unique<BcastOperation>(members.layout(), members.collectives().queue().limits(),
                                         buffer, nbytes, root));
}

void start_allgather(Done done, const void* send, void* recv, std::size_t nbytes,
                     dart_team_t team) {
  Team& members = team_of(team);
  check_total(members.layout(), nbytes);
  check_buffer(recv, nbytes, "recv");
  const exec::Label label{"an allgather_async in team {}, of {} bytes of each unit",
                          {team, static_cast<long>(nbytes)}};
  start(std::move(done), label, "allgather_async", members,
        std::make_unique<AllgatherOperation>(
            members.layout(), members.collectives().queue().limits(), send, recv, nbytes));
}

void start_gather(Done done, const void* send, void* recv, std::size_t nbytes, int root,
                  dart_team_t team) {
  Team& members = team_of(team);
  check_total(members.layout(), nbytes);
  check_root(members.layout(), root, team);
  check_buffer(send, nbytes, "send");
  if (members.my_id() == root) check_buffer(recv, nbytes, "recv");
  const exec::Label label{"a gather_async in team {} to unit {}, of {} bytes of each unit",
                          {team, root, static_cast<long>(nbytes)}};
  start(std::move(done), label, "gather_async", members,
        std::make_unique<GatherOperation>(members.layout(), members.collectives().queue().limits(),
                                          send, recv, nbytes, root));
}

void start_scatter(Done done, const void* send, void* recv, std::size_t nbytes, int root,
                   dart_team_t team) {
  Team& members = team_of(team);
  check_total(members.layout(), nbytes);
  check_root(members.layout(), root, team);
  if (members.my_id() == root) check_buffer(send, nbytes, "send");
  check_buffer(recv, nbytes, "recv");
  const exec::Label label{"a scatter_async in team {} from unit {}, of {} bytes for each unit",
                          {team, root, static_cast<long>(nbytes)}};
  start(std::move(done), label, "scatter_async", members,
        std::make_unique<ScatterOperation>(members.layout(), members.collectives().queue().limits(),
                                           send, recv, nbytes, root));
}

void start_alltoall(Done done, const void* send, void* recv, std::size_t nbytes, dart_team_t team) {
  Team& members = team_of(team);
  check_total(members.layout(), nbytes);
  check_buffer(recv, nbytes, "recv");
  const exec::Label label{"an alltoall_async in team {}, of {} bytes for each unit",
                          {team, static_cast<long>(nbytes)}};
  start(std::move(done), label, "alltoall_async", members,
        std::make_unique<QueuedAlltoallOperation>(
            members.layout(), members.collectives().queue().limits(), send, recv, nbytes));
}

void start_allreduce(Done done, const void* send, void* recv, std::size_t nelem,
                     dart_datatype_t type, dart_operation_t op, dart_team_t team) {
  Team& members = team_of(team);
  const exec::Label label{"an allreduce_async in team {}, of {} elements",
                          {team, static_cast<long>(nelem)}};
  start(std::move(done), label, "allreduce_async", members,
        reduce_operation(members, send, recv, nelem, type, op, ReduceOperation::all_units));
}

void start_reduce(Done done, const void* send, void* recv, std::size_t nelem, dart_datatype_t type,
                  dart_operation_t op, int root, dart_team_t team) {
  Team& members = team_of(team);
  check_root(members.layout(), root, team);
  const bool is_root = members.my_id() == root;
  const exec::Label label{"a reduce_async in team {} to unit {}, of {} elements",
                          {team, root, static_cast<long>(nelem)}};
  start(std::move(done), label, "reduce_async", members,
        reduce_operation(members, send, is_root ? recv : nullptr, nelem, type, op, root));
}

}  // namespace dash::dart
