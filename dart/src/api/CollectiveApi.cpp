// Blocking collectives: the C functions, which catch the exceptions.

#include <algorithm>
#include <vector>

#include "api/Boundary.h"
#include "api/UserOperation.h"
#include "dash/core/Trace.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart_communication.h"
#include "teams/Team.h"
#include "teams/collectives/CollectiveArguments.h"

namespace dash::dart {

std::shared_ptr<TeamCollectives> collectives_of(dart_team_t team) {
  return Runtime::get().team(team).collectives().interface();
}

namespace {

/// The body of a C function. \param name  names the collective in the timeline
/// \param body  called with the engine of the team, and the number of bytes of the elements
template <class Body>
dart_ret_t run_collective(const char* function, const char* name, dart_team_t team,
                          std::size_t nelem, dart_datatype_t type, Body&& body) noexcept {
  return with_runtime(function, [&](Runtime& runtime) {
    CollectiveEngine& engine = runtime.team(team).collectives();
    const std::size_t nbytes = runtime.bytes_of(nelem, type);
    const core::TraceSpan span(core::TraceKind::collective, name, nbytes);
    body(engine, nbytes);
  });
}

/// \throws exception::RuntimeError unless the operation is defined on the type
Reduction reduction_of(std::size_t nelem, dart_datatype_t type, dart_operation_t op) {
  check_pairs(nelem, op);
  return op >= DART_OP_LAST ? user_reduction(op, type) : predefined_reduction(op, type);
}

/// Sizes and displacements of an allgatherv, in bytes.
struct Parts {
  std::vector<std::size_t> nbytes;
  std::vector<std::size_t> displacements;
};

Parts checked_parts(const Runtime& runtime, const Team& team, const void* recv,
                    const std::size_t* counts, const std::size_t* displacements,
                    dart_datatype_t type) {
  const auto nunits = static_cast<std::size_t>(team.size());
  check_buffer(counts, nunits, "nrecvcounts");
  check_buffer(displacements, nunits, "recvdispls");
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
using dart::CollectiveEngine;

extern "C" {

dart_ret_t dart_barrier(dart_team_t teamid) noexcept {
  return dart::with_runtime("dart_barrier", [=](dart::Runtime& runtime) {
    CollectiveEngine& engine = runtime.team(teamid).collectives();
    const dash::core::TraceSpan span(dash::core::TraceKind::collective, "barrier", 0);
    engine.barrier_of_program();
  });
}

dart_ret_t dart_bcast(void* buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                      dart_team_t teamid) noexcept {
  return dart::run_collective(
      "dart_bcast", "bcast", teamid, nelem, dtype,
      [=](CollectiveEngine& engine, size_t nbytes) { engine.bcast(buf, nbytes, root.id); });
}

dart_ret_t dart_scatter(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                        dart_team_unit_t root, dart_team_t teamid) noexcept {
  return dart::run_collective("dart_scatter", "scatter", teamid, nelem, dtype,
                              [=](CollectiveEngine& engine, size_t nbytes) {
                                engine.scatter(sendbuf, recvbuf, nbytes, root.id);
                              });
}

dart_ret_t dart_gather(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                       dart_team_unit_t root, dart_team_t teamid) noexcept {
  return dart::run_collective("dart_gather", "gather", teamid, nelem, dtype,
                              [=](CollectiveEngine& engine, size_t nbytes) {
                                engine.gather(sendbuf, recvbuf, nbytes, root.id);
                              });
}

dart_ret_t dart_allgather(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                          dart_team_t teamid) noexcept {
  return dart::run_collective(
      "dart_allgather", "allgather", teamid, nelem, dtype,
      [=](CollectiveEngine& engine, size_t nbytes) { engine.allgather(sendbuf, recvbuf, nbytes); });
}

dart_ret_t dart_allgatherv(const void* sendbuf, size_t nsendelem, dart_datatype_t dtype,
                           void* recvbuf, const size_t* nrecvcounts, const size_t* recvdispls,
                           dart_team_t teamid) noexcept {
  return dart::with_runtime("dart_allgatherv", [&](dart::Runtime& runtime) {
    dart::Team& team = runtime.team(teamid);
    const dart::Parts parts =
        dart::checked_parts(runtime, team, recvbuf, nrecvcounts, recvdispls, dtype);
    const auto me = static_cast<std::size_t>(team.my_id());
    const bool in_place = sendbuf == nullptr || sendbuf == recvbuf;
    if (!in_place && nsendelem != nrecvcounts[me]) {
      dart::throw_error(DART_ERR_INVAL,
                        "unit {} sends {} elements, but its element of nrecvcounts is {}",
                        team.my_id(), nsendelem, nrecvcounts[me]);
    }
    const dash::core::TraceSpan span(dash::core::TraceKind::collective, "allgatherv",
                                     parts.nbytes[me]);
    team.collectives().allgatherv(sendbuf, recvbuf, parts.nbytes.data(),
                                  parts.displacements.data());
  });
}

dart_ret_t dart_alltoall(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                         dart_team_t teamid) noexcept {
  return dart::run_collective(
      "dart_alltoall", "alltoall", teamid, nelem, dtype,
      [=](CollectiveEngine& engine, size_t nbytes) { engine.alltoall(sendbuf, recvbuf, nbytes); });
}

dart_ret_t dart_reduce(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                       dart_operation_t op, dart_team_unit_t root, dart_team_t teamid) noexcept {
  return dart::run_collective(
      "dart_reduce", "reduce", teamid, nelem, dtype, [=](CollectiveEngine& engine, size_t) {
        engine.reduce(sendbuf, recvbuf, nelem, dart::reduction_of(nelem, dtype, op), root.id);
      });
}

dart_ret_t dart_allreduce(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                          dart_operation_t op, dart_team_t teamid) noexcept {
  return dart::run_collective(
      "dart_allreduce", "allreduce", teamid, nelem, dtype, [=](CollectiveEngine& engine, size_t) {
        engine.allreduce(sendbuf, recvbuf, nelem, dart::reduction_of(nelem, dtype, op));
      });
}

}  // extern "C"
