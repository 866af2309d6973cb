#pragma once

#include <cstdint>
#include <exception>

#include "base/Error.h"
#include "teams/Team.h"

namespace dash::dart {

/// Calls f() on all units of a team; if it throws on one unit, the call throws on all. For local steps
/// between collective ones: a unit that returned alone would keep the others waiting.
/// \param step  names the step, for the error of the units where it succeeded
/// \collective over the team  \blocks until all units have called f
/// \throws the exception of f; Error where f failed only on another unit
template <class F>
void run_on_all_or_throw(Team& team, const char* step, F f) {
  std::exception_ptr failure;
  try {
    f();
  } catch (...) {
    failure = std::current_exception();
  }
  std::uint64_t failed = failure != nullptr ? 1 : 0;
  team.allreduce(&failed, &failed, 1, DART_TYPE_ULONGLONG, DART_OP_MAX);
  if (failure != nullptr) std::rethrow_exception(failure);
  if (failed != 0) {
    throw_error(DART_ERR_OTHER, "{}: failed on another unit of team {}", step, team.id());
  }
}

}  // namespace dash::dart
