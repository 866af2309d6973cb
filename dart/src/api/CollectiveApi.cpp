#include <vector>

#include "base/Error.h"
#include "api/Runtime.h"
#include "dash/core/Trace.h"
#include "dash/dart/if/dart_communication.h"

namespace core = dash::core;
namespace dart = dash::dart;

namespace {

void check_buffer(const void* buffer, size_t nelem, const char* name) {
  if (buffer == nullptr && nelem != 0) {
    dart::throw_error(DART_ERR_INVAL, "{} is NULL, for {} elements", name, nelem);
  }
}

void check_root(const dart::Team& team, dart_team_unit_t root) {
  if (root.id < 0 || root.id >= team.size()) {
    dart::throw_error(DART_ERR_INVAL, "root {} is not in team {}, which has units 0 to {}", root.id,
                      team.id(), team.size() - 1);
  }
}

/// Bytes of one part, such that the parts of all units fit the address space, too.
std::size_t part_bytes(const dart::Team& team, size_t nelem, dart_datatype_t dtype) {
  const std::size_t nbytes = dart::Runtime::get().bytes_of(nelem, dtype);
  std::size_t all = 0;
  if (__builtin_mul_overflow(nbytes, static_cast<std::size_t>(team.size()), &all)) {
    dart::throw_error(DART_ERR_INVAL, "{} bytes of each of {} units exceed the address space",
                      nbytes, team.size());
  }
  return nbytes;
}

dart::Reduction checked_reduction(size_t nelem, dart_datatype_t dtype, dart_operation_t op) {
  dart::Runtime::get().bytes_of(nelem, dtype);
  if (op == DART_OP_MINMAX && nelem % 2 != 0) {
    dart::throw_error(DART_ERR_INVAL, "DART_OP_MINMAX works on pairs, but nelem is {}", nelem);
  }
  return dart::find_reduction(op, dtype);
}

}  // namespace

extern "C" {

dart_ret_t dart_barrier(dart_team_t teamid) noexcept {
  return dart::guarded("dart_barrier", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    const core::TraceSpan span(core::TraceKind::collective, "barrier", 0);
    team.barrier();
  });
}

dart_ret_t dart_bcast(void* buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                      dart_team_t teamid) noexcept {
  return dart::guarded("dart_bcast", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    const std::size_t nbytes = dart::Runtime::get().bytes_of(nelem, dtype);
    check_buffer(buf, nelem, "buf");
    check_root(team, root);
    const core::TraceSpan span(core::TraceKind::collective, "bcast", nbytes);
    team.bcast(buf, nbytes, root.id);
  });
}

dart_ret_t dart_scatter(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                        dart_team_unit_t root, dart_team_t teamid) noexcept {
  return dart::guarded("dart_scatter", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    const std::size_t nbytes = part_bytes(team, nelem, dtype);
    check_root(team, root);
    if (team.my_id() == root.id) check_buffer(sendbuf, nelem, "sendbuf");
    check_buffer(recvbuf, nelem, "recvbuf");
    const core::TraceSpan span(core::TraceKind::collective, "scatter", nbytes);
    team.scatter(sendbuf, recvbuf, nbytes, root.id);
  });
}

dart_ret_t dart_gather(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                       dart_team_unit_t root, dart_team_t teamid) noexcept {
  return dart::guarded("dart_gather", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    const std::size_t nbytes = part_bytes(team, nelem, dtype);
    check_root(team, root);
    check_buffer(sendbuf, nelem, "sendbuf");
    if (team.my_id() == root.id) check_buffer(recvbuf, nelem, "recvbuf");
    const core::TraceSpan span(core::TraceKind::collective, "gather", nbytes);
    team.gather(sendbuf, recvbuf, nbytes, root.id);
  });
}

dart_ret_t dart_allgather(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                          dart_team_t teamid) noexcept {
  return dart::guarded("dart_allgather", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    const std::size_t nbytes = part_bytes(team, nelem, dtype);
    check_buffer(recvbuf, nelem, "recvbuf");
    const core::TraceSpan span(core::TraceKind::collective, "allgather", nbytes);
    team.allgather(sendbuf, recvbuf, nbytes);
  });
}

dart_ret_t dart_allgatherv(const void* sendbuf, size_t nsendelem, dart_datatype_t dtype,
                           void* recvbuf, const size_t* nrecvcounts, const size_t* recvdispls,
                           dart_team_t teamid) noexcept {
  return dart::guarded("dart_allgatherv", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    const auto nunits = static_cast<std::size_t>(team.size());
    const auto me = static_cast<std::size_t>(team.my_id());
    check_buffer(nrecvcounts, nunits, "nrecvcounts");
    check_buffer(recvdispls, nunits, "recvdispls");
    std::vector<std::size_t> nbytes;
    std::vector<std::size_t> displacements;
    std::size_t total = 0;
    for (std::size_t unit = 0; unit < nunits; ++unit) {
      nbytes.push_back(dart::Runtime::get().bytes_of(nrecvcounts[unit], dtype));
      displacements.push_back(dart::Runtime::get().bytes_of(recvdispls[unit], dtype));
      total |= nrecvcounts[unit];
    }
    check_buffer(recvbuf, total, "recvbuf");
    const bool in_place = sendbuf == nullptr || sendbuf == recvbuf;
    if (!in_place && nsendelem != nrecvcounts[me]) {
      dart::throw_error(DART_ERR_INVAL,
                        "unit {} sends {} elements, but nrecvcounts says that {} come from it",
                        team.my_id(), nsendelem, nrecvcounts[me]);
    }
    const core::TraceSpan span(core::TraceKind::collective, "allgatherv", nbytes[me]);
    team.allgatherv(sendbuf, recvbuf, nbytes.data(), displacements.data());
  });
}

dart_ret_t dart_alltoall(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                         dart_team_t teamid) noexcept {
  return dart::guarded("dart_alltoall", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    const std::size_t nbytes = part_bytes(team, nelem, dtype);
    check_buffer(recvbuf, nelem, "recvbuf");
    const core::TraceSpan span(core::TraceKind::collective, "alltoall", nbytes);
    team.alltoall(sendbuf, recvbuf, nbytes);
  });
}

dart_ret_t dart_reduce(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                       dart_operation_t op, dart_team_unit_t root, dart_team_t teamid) noexcept {
  return dart::guarded("dart_reduce", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    const dart::Reduction reduction = checked_reduction(nelem, dtype, op);
    check_root(team, root);
    const bool is_root = team.my_id() == root.id;
    check_buffer(sendbuf, nelem, "sendbuf");
    if (is_root) check_buffer(recvbuf, nelem, "recvbuf");
    const core::TraceSpan span(core::TraceKind::collective, "reduce",
                               nelem * reduction.element_bytes());
    team.allreduce(sendbuf, is_root ? recvbuf : nullptr, nelem, reduction);
  });
}

dart_ret_t dart_allreduce(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                          dart_operation_t op, dart_team_t teamid) noexcept {
  return dart::guarded("dart_allreduce", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    const dart::Reduction reduction = checked_reduction(nelem, dtype, op);
    check_buffer(sendbuf, nelem, "sendbuf");
    check_buffer(recvbuf, nelem, "recvbuf");
    const core::TraceSpan span(core::TraceKind::collective, "allreduce",
                               nelem * reduction.element_bytes());
    team.allreduce(sendbuf, recvbuf, nelem, reduction);
  });
}

}  // extern "C"
