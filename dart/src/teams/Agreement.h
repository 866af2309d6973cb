#pragma once

#include <cstdint>
#include <exception>

#include "base/Error.h"
#include "teams/Team.h"

namespace dash::dart {

/// f() on all units of a team, or an error on all of them: what may throw between two steps that are
/// collective, where a unit that leaves alone would be waited for.
/// \param what  is being done, for the error of those in which it has not failed
/// \collective  over the team, which has met when this returns
/// \throws what f has thrown; Error where it has thrown on another unit only
template <class F>
void on_all_or_none(Team& team, const char* what, F f) {
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
    throw_error(DART_ERR_OTHER, "{}: it has failed on another unit of team {}", what, team.id());
  }
}

}  // namespace dash::dart
