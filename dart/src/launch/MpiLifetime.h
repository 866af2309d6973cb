#pragma once

#include <mpi.h>

namespace dash::dart {

/// Whether this library initialized MPI, and the thread level that MPI provides.
struct MpiLifetime {
  bool owns_mpi = false;             // this library initialized MPI, and finalizes it
  bool has_thread_multiple = false;  // MPI provides MPI_THREAD_MULTIPLE

  /// Describes an MPI that the application has initialized.
  /// \throws Error (DART_ERR_OTHER) if the application has not initialized MPI or has finalized it
  static MpiLifetime of_application();
  /// Initializes MPI unless the application has done so.
  static MpiLifetime start(int* argc, char*** argv);
};

/// Registers a function that MPI calls at the beginning of MPI_Finalize, while MPI is still usable. Only the
/// first call in a process has an effect.
void run_when_mpi_ends(void (*hook)());

/// Calls MPI_Finalize for an MPI that this library initialized. A call that has not returned after
/// DART_FINALIZE_TIMEOUT_S seconds is abandoned: the program continues, and its exit does not wait for the
/// call (docs/decisions/004-finalize-over-tcp.md).
/// \pre all units have passed a barrier, and no operation of this library is in flight
void finalize_mpi(const MpiLifetime& life);

}  // namespace dash::dart
