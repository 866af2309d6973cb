#include "network/NetworkFailure.h"

#include <fmt/format.h>

#include <cstdlib>

#include "dash/core/Log.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

void abort_after_network_failure(MPI_Comm communicator, const std::exception& error) noexcept {
  core::log(core::LogLevel::error, fmt::format("progress: {}", error.what()));
  MPI_Abort(communicator, DART_EXIT_ABORT);
  std::abort();
}

}  // namespace dash::dart
