#include "network/NetworkFailure.h"

#include <fmt/format.h>

#include "base/MpiCheck.h"
#include "dash/core/Log.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

void abort_after_network_failure(MPI_Comm communicator, const std::exception& error) noexcept {
  core::log(core::LogLevel::error, fmt::format("progress: {}", error.what()));
  abort_mpi(communicator, DART_EXIT_ABORT);
}

}  // namespace dash::dart
