#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <exception>

#include "base/MpiCheck.h"
#include "dash/core/Log.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// Calls f(), the part of a collective that one unit of a node performs for all. A failure ends the
/// job: the other units wait for its result and would hang.
template <class F>
void run_or_abort(MPI_Comm world, dart_team_t team, F&& f) {
  try {
    f();
  } catch (const std::exception& error) {
    core::log(core::LogLevel::error,
              fmt::format("collective operation of team {}: {}", team, error.what()));
    abort_mpi(world, DART_EXIT_ABORT);
  }
}

}  // namespace dash::dart
