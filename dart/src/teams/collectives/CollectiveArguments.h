#pragma once

#include <cstddef>

#include "base/Error.h"
#include "dash/dart/if/dart_types.h"
#include "teams/TeamLayout.h"

namespace dash::dart {

/// Checks of the arguments of collectives. \throws exception::InvalidArgument, before any communication
/// @{

inline void check_buffer(const void* buffer, std::size_t nbytes, const char* name) {
  if (buffer == nullptr && nbytes != 0) {
    throw_error(DART_ERR_INVAL, "{} is NULL, for {} bytes", name, nbytes);
  }
}

inline void check_root(const TeamLayout& layout, int root, dart_team_t team) {
  if (root < 0 || root >= layout.size()) {
    throw_error(DART_ERR_INVAL, "root {} is not in team {}, which has units 0 to {}", root, team,
                layout.size() - 1);
  }
}

/// The data of all units has to fit in the address space.
inline void check_total(const TeamLayout& layout, std::size_t nbytes) {
  std::size_t total = 0;
  if (__builtin_mul_overflow(nbytes, static_cast<std::size_t>(layout.size()), &total)) {
    throw_error(DART_ERR_INVAL, "{} bytes of each of {} units exceed the address space", nbytes,
                layout.size());
  }
}

inline void check_pairs(std::size_t nelem, dart_operation_t op) {
  if (op == DART_OP_MINMAX && nelem % 2 != 0) {
    throw_error(DART_ERR_INVAL, "DART_OP_MINMAX works on pairs, but nelem is {}", nelem);
  }
}
/// @}

}  // namespace dash::dart
