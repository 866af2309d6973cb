#pragma once

#include <mpi.h>

#include <exception>

namespace dash::dart {

/// Ends the job because an operation in the background failed. No caller could handle the error:
/// the operation may carry transfers of several callers, and the polling thread may be the progress
/// thread.
[[noreturn]] void abort_after_network_failure(MPI_Comm communicator,
                                              const std::exception& error) noexcept;

}  // namespace dash::dart
