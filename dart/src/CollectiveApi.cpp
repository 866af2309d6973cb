#include "Error.h"
#include "Runtime.h"
#include "Types.h"
#include "dash/dart/if/dart_communication.h"

namespace dart = dash::dart;

namespace {

void check_buffer(const void* buffer, size_t nelem, const char* name) {
  if (buffer == nullptr && nelem != 0) {
    dart::throw_error(DART_ERR_INVAL, "{} is NULL, for {} elements", name, nelem);
  }
}

}  // namespace

extern "C" {

dart_ret_t dart_barrier(dart_team_t teamid) noexcept {
  return dart::guarded("dart_barrier", [&] { dart::Runtime::get().team(teamid).barrier(); });
}

dart_ret_t dart_bcast(void* buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                      dart_team_t teamid) noexcept {
  return dart::guarded("dart_bcast", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    check_buffer(buf, nelem, "buf");
    if (root.id < 0 || root.id >= team.size()) {
      dart::throw_error(DART_ERR_INVAL, "root {} is not in team {}, which has units 0 to {}",
                        root.id, teamid, team.size() - 1);
    }
    team.bcast(buf, dart::size_in_bytes(nelem, dtype), root.id);
  });
}

dart_ret_t dart_allreduce(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                          dart_operation_t op, dart_team_t teamid) noexcept {
  return dart::guarded("dart_allreduce", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    dart::size_in_bytes(nelem, dtype);
    dart::find_reduction(op, dtype);
    check_buffer(sendbuf, nelem, "sendbuf");
    check_buffer(recvbuf, nelem, "recvbuf");
    if (op == DART_OP_MINMAX && nelem % 2 != 0) {
      dart::throw_error(DART_ERR_INVAL, "DART_OP_MINMAX works on pairs, but nelem is {}", nelem);
    }
    team.allreduce(sendbuf, recvbuf, nelem, dtype, op);
  });
}

dart_ret_t dart_allgather(const void* sendbuf, void* recvbuf, size_t nelem, dart_datatype_t dtype,
                          dart_team_t teamid) noexcept {
  return dart::guarded("dart_allgather", [&] {
    dart::Team& team = dart::Runtime::get().team(teamid);
    check_buffer(recvbuf, nelem, "recvbuf");
    team.allgather(sendbuf, recvbuf, dart::size_in_bytes(nelem, dtype));
  });
}

}  // extern "C"
