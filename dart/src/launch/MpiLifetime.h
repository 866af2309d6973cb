#pragma once

#include <mpi.h>

namespace dash::dart {

/// Who started MPI, and what it allows.
struct MpiLifetime {
  bool ours = false;
  bool multiple = false;  // MPI_THREAD_MULTIPLE was given

  /// MPI as the application initialised it.
  /// \throws Error (DART_ERR_OTHER) if it has not, or has finalised it
  static MpiLifetime of_application();
  /// The same, or MPI initialised by us where nobody has.
  static MpiLifetime start(int* argc, char*** argv);
};

/// Has `hook` called at the begin of MPI_Finalize, while MPI still works; once a process.
void run_when_mpi_ends(void (*hook)());

/// MPI_Finalize, for an MPI of ours. One that has not returned in DART_FINALIZE_TIMEOUT_S seconds is
/// left to itself: the program goes on, and leaves at its exit without waiting for it
/// (docs/decisions/004-finalize-over-tcp.md).
/// \pre all units have been through a barrier, and nothing of ours is in flight
void finalize_mpi(const MpiLifetime& life);

}  // namespace dash::dart
