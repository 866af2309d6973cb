// Blocking collectives: the functions of the C++ layers, and the C functions, which catch the exceptions.

#include <vector>

#include "api/CollectiveArguments.h"
#include "api/Runtime.h"
#include "base/Error.h"
#include "dash/async/Watch.h"
#include "dash/core/Trace.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart_communication.h"

namespace dash::dart {

namespace {

core::TraceSpan traced(const char* name, std::size_t nbytes) {
  return {core::TraceKind::collective, name, nbytes};
}

void run_barrier(Team& team) {
  const core::TraceSpan span = traced("barrier", 0);
  team.barrier();
}

void run_bcast(Team& team, void* buffer, std::size_t nbytes, int root) {
  check_buffer(buffer, nbytes, "buf");
  check_root(team, root);
  const core::TraceSpan span = traced("bcast", nbytes);
  team.bcast(buffer, nbytes, root);
}

void run_allgather(Team& team, const void* send, void* recv, std::size_t nbytes) {
  check_total(team, nbytes);
  check_buffer(recv, nbytes, "recvbuf");
  const core::TraceSpan span = traced("allgather", nbytes);
  team.allgather(send, recv, nbytes);
}

void run_alltoall(Team& team, const void* send, void* recv, std::size_t nbytes) {
  check_total(team, nbytes);
  check_buffer(recv, nbytes, "recvbuf");
  const core::TraceSpan span = traced("alltoall", nbytes);
  team.collectives().alltoall(send, recv, nbytes);
}

void run_allreduce(Team& team, const void* send, void* recv, std::size_t nelem,
                   dart_datatype_t type, dart_operation_t op) {
  const Reduction reduction = checked_reduction(nelem, type, op);
  const std::size_t nbytes = Runtime::get().bytes_of(nelem, type);
  check_buffer(send, nbytes, "sendbuf");
  check_buffer(recv, nbytes, "recvbuf");
  const core::TraceSpan span = traced("allreduce", nbytes);
  team.collectives().reduce(send, recv, nelem, reduction, ReduceOperation::all_units);
}

/// The body of a C++ function: names the call for the watchdog and translates errors of this layer.
template <class Body>
void called(const char* function, dart_team_t team, Body&& body) {
  const exec::Activity activity(exec::Activity::Kind::call, function);
  translated([&] { body(find_team(team)); });
}

/// The body of a C function. \param body  called with the team and the size of the elements
template <class Body>
dart_ret_t guarded_collective(const char* function, dart_team_t team, std::size_t nelem,
                              dart_datatype_t type, Body&& body) noexcept {
  return guarded(function, [&] {
    Runtime& runtime = Runtime::get();
    Team& members = runtime.team(team);
    body(members, runtime.bytes_of(nelem, type));
  });
}

}  // namespace

void barrier(dart_team_t team) {
  called("dash::dart::barrier", team, [](Team& members) { run_barrier(members); });
}

void bcast(void* buffer, std::size_t nbytes, int root, dart_team_t team) {
  called("dash::dart::bcast", team,
         [=](Team& members) { run_bcast(members, buffer, nbytes, root); });
}

void allgather(const void* send, void* recv, std::size_t nbytes, dart_team_t team) {
  called("dash::dart::allgather", team,
         [=](Team& members) { run_allgather(members, send, recv, nbytes); });
}

void alltoall(const void* send, void* recv, std::size_t nbytes, dart_team_t team) {
  called("dash::dart::alltoall", team,
         [=](Team& members) { run_alltoall(members, send, recv, nbytes); });
}

void allreduce(const void* send, void* recv, std::size_t nelem, dart_datatype_t type,
               dart_operation_t op, dart_team_t team) {
  called("dash::dart::allreduce", team,
         [=](Team& members) { run_allreduce(members, send, recv, nelem, type, op); });
}

namespace {

/// Sizes and displacements of an allgatherv, in bytes.
struct Parts {
  std::vector<std::size_t> nbytes;
  std::vector<std::size_t> displacements;
};

Parts checked_parts(const Team& team, const void* recv, const std::size_t* counts,
                    const std::size_t* displacements, dart_datatype_t type) {
  const auto nunits = static_cast<std::size_t>(team.size());
  check_buffer(counts, nunits, "nrecvcounts");
  check_buffer(displacements, nunits, "recvdispls");
  const Runtime& runtime = Runtime::get();
  Parts parts;
  std::size_t largest = 0;
  for (std::size_t unit = 0; unit < nunits; ++unit) {
    parts.nbytes.push_back(runtime.bytes_of(counts[unit], type));
    parts.displacements.push_back(runtime.bytes_of(displacements[unit], type));
    largest = std::max(largest, parts.nbytes.back());
  }
  check_buffer(recv, largest, "recvbuf");
  return parts;
}

}  // namespace

}  // namespace dash::dart

namespace dart = dash::dart;
using dash::core::TraceSpan;

extern "C" {

dart_ret_t dart_barrier(dart_team_t teamid) noexcept {
  return dart::guarded("dart_barrier", [&] { dart::run_barrier(dart::find_team(teamid)); });
}

dart_ret_t dart_bcast(void* buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                      dart_team_t teamid) noexcept {
  return dart::guarded_collective(
      "dart_bcast", teamid, nelem, dtype,
      [&](dart::Team& team, size_t nbytes) { dart::run_bcast(team, buf, nbytes, root.id); });
}

dart_ret_t dart_scatter(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                        dart_team_unit_t root, dart_team_t teamid) noexcept {
  return dart::guarded_collective("dart_scatter", teamid, nelem, dtype,
                                  [&](dart::Team& team, size_t nbytes) {
                                    dart::check_total(team, nbytes);
                                    dart::check_root(team, root.id);
                                    if (team.my_id() == root.id)
                                      dart::check_buffer(sendbuf, nbytes, "sendbuf");
                                    dart::check_buffer(recvbuf, nbytes, "recvbuf");
                                    const TraceSpan span = dart::traced("scatter", nbytes);
                                    team.collectives().scatter(sendbuf, recvbuf, nbytes, root.id);
                                  });
}

dart_ret_t dart_gather(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                       dart_team_unit_t root, dart_team_t teamid) noexcept {
  return dart::guarded_collective("dart_gather", teamid, nelem, dtype,
                                  [&](dart::Team& team, size_t nbytes) {
                                    dart::check_total(team, nbytes);
                                    dart::check_root(team, root.id);
                                    dart::check_buffer(sendbuf, nbytes, "sendbuf");
                                    if (team.my_id() == root.id)
                                      dart::check_buffer(recvbuf, nbytes, "recvbuf");
                                    const TraceSpan span = dart::traced("gather", nbytes);
                                    team.collectives().gather(sendbuf, recvbuf, nbytes, root.id);
                                  });
}

dart_ret_t dart_allgather(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                          dart_team_t teamid) noexcept {
  return dart::guarded_collective("dart_allgather", teamid, nelem, dtype,
                                  [&](dart::Team& team, size_t nbytes) {
                                    dart::run_allgather(team, sendbuf, recvbuf, nbytes);
                                  });
}

dart_ret_t dart_allgatherv(const void* sendbuf, size_t nsendelem, dart_datatype_t dtype,
                           void* recvbuf, const size_t* nrecvcounts, const size_t* recvdispls,
                           dart_team_t teamid) noexcept {
  return dart::guarded("dart_allgatherv", [&] {
    dart::Team& team = dart::find_team(teamid);
    const dart::Parts parts = dart::checked_parts(team, recvbuf, nrecvcounts, recvdispls, dtype);
    const auto me = static_cast<std::size_t>(team.my_id());
    const bool in_place = sendbuf == nullptr || sendbuf == recvbuf;
    if (!in_place && nsendelem != nrecvcounts[me]) {
      dart::throw_error(DART_ERR_INVAL,
                        "unit {} sends {} elements, but its element of nrecvcounts is {}",
                        team.my_id(), nsendelem, nrecvcounts[me]);
    }
    const TraceSpan span = dart::traced("allgatherv", parts.nbytes[me]);
    team.collectives().allgatherv(sendbuf, recvbuf, parts.nbytes.data(),
                                  parts.displacements.data());
  });
}

dart_ret_t dart_alltoall(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                         dart_team_t teamid) noexcept {
  return dart::guarded_collective(
      "dart_alltoall", teamid, nelem, dtype,
      [&](dart::Team& team, size_t nbytes) { dart::run_alltoall(team, sendbuf, recvbuf, nbytes); });
}

dart_ret_t dart_reduce(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                       dart_operation_t op, dart_team_unit_t root, dart_team_t teamid) noexcept {
  return dart::guarded_collective(
      "dart_reduce", teamid, nelem, dtype, [&](dart::Team& team, size_t nbytes) {
        const dart::Reduction reduction = dart::checked_reduction(nelem, dtype, op);
        dart::check_root(team, root.id);
        const bool is_root = team.my_id() == root.id;
        dart::check_buffer(sendbuf, nbytes, "sendbuf");
        if (is_root) dart::check_buffer(recvbuf, nbytes, "recvbuf");
        const TraceSpan span = dart::traced("reduce", nbytes);
        team.collectives().reduce(sendbuf, is_root ? recvbuf : nullptr, nelem, reduction, root.id);
      });
}

dart_ret_t dart_allreduce(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                          dart_operation_t op, dart_team_t teamid) noexcept {
  return dart::guarded("dart_allreduce", [&] {
    dart::run_allreduce(dart::find_team(teamid), sendbuf, recvbuf, nelem, dtype, op);
  });
}

}  // extern "C"
