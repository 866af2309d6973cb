#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include "base/MpiCheck.h"
#include "dash/core/Log.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// Ends the job after a failure in the part of a collective that one unit of a node performs for all: the
/// other units wait for its result and would hang.
[[noreturn]] inline void abort_collective(MPI_Comm world, dart_team_t team, const char* error) {
  core::log(core::LogLevel::error, fmt::format("collective operation of team {}: {}", team, error));
  abort_mpi(world, DART_EXIT_ABORT);
}

}  // namespace dash::dart
