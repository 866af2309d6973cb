#pragma once

#include <mpi.h>

#include <string>

#include "base/Error.h"

namespace dash::dart {

[[noreturn]] void throw_mpi_error(int code, const char* call, int peer);

constexpr int no_peer = -1;

/// Turns a return code of MPI other than MPI_SUCCESS into an exception. All return codes are
/// checked here.
/// \param peer  global id of the unit that the call communicates with
/// \throws exception::RuntimeError with the name of the call, the peer, the code and MPI's text
inline void check_mpi(int code, const char* call, int peer = no_peer) {
  if (code != MPI_SUCCESS) [[unlikely]]
    throw_mpi_error(code, call, peer);
}

/// The text of MPI for a return code.
std::string mpi_error_text(int code);

/// Ends the job, after some time for the launcher to forward the output. If MPI does not permit the calling thread to
/// call MPI_Abort, the process exits without finalizing MPI, and the launcher ends the other processes.
[[noreturn]] void abort_mpi(MPI_Comm communicator, int code) noexcept;

}  // namespace dash::dart
