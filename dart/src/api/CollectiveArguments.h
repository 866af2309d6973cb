#pragma once

#include <cstddef>

#include "api/Runtime.h"
#include "api/UserOperation.h"
#include "base/Error.h"
#include "teams/Team.h"

namespace dash::dart {

/// \throws Error (DART_ERR_NOTINIT, DART_ERR_INVAL) outside of init and exit, or unless it is the id of a live team
inline Team& find_team(dart_team_t id) {
  return Runtime::get().team(id);
}

/// Checks of the arguments of collectives. \throws Error (DART_ERR_INVAL), before any communication
/// @{

inline void check_buffer(const void* buffer, std::size_t nbytes, const char* name) {
  if (buffer == nullptr && nbytes != 0) {
    throw_error(DART_ERR_INVAL, "{} is NULL, for {} bytes", name, nbytes);
  }
}

inline void check_root(const Team& team, int root) {
  if (root < 0 || root >= team.size()) {
    throw_error(DART_ERR_INVAL, "root {} is not in team {}, which has units 0 to {}", root,
                team.id(), team.size() - 1);
  }
}

/// The data of all units have to fit in the address space.
inline void check_total(const Team& team, std::size_t nbytes) {
  std::size_t total = 0;
  if (__builtin_mul_overflow(nbytes, static_cast<std::size_t>(team.size()), &total)) {
    throw_error(DART_ERR_INVAL, "{} bytes of each of {} units exceed the address space", nbytes,
                team.size());
  }
}

/// The reduction of an operation, predefined or of dart_op_create, on `nelem` elements of a type.
inline Reduction checked_reduction(std::size_t nelem, dart_datatype_t type, dart_operation_t op) {
  if (op == DART_OP_MINMAX && nelem % 2 != 0) {
    throw_error(DART_ERR_INVAL, "DART_OP_MINMAX works on pairs, but nelem is {}", nelem);
  }
  return op >= DART_OP_LAST ? user_reduction(op, type) : predefined_reduction(op, type);
}
/// @}

}  // namespace dash::dart
