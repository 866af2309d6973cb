#pragma once

#include <mpi.h>

namespace dash::dart {

// A window of the library is in one passive epoch (MPI_Win_lock_all) for its whole life.

/// Begins the epoch of a new window. From now on, errors of its operations are return codes.
/// \throws exception::RuntimeError
void begin_epoch(MPI_Win window);

/// Ends the epoch and frees the window. \collective over the window's group
void free_window(MPI_Win& window) noexcept;

/// The base address that MPI uses for the caller's memory in a window. UCX uses another one than the
/// address of the memory if this overlaps the memory of an active window (MPICH pull request 6140).
/// \param address  of the memory
void* base_of_window(MPI_Win window, void* address) noexcept;

}  // namespace dash::dart
