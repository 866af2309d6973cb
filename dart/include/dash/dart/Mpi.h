#pragma once

/// \file
/// The runtime in an application that uses MPI itself. This is the only public header that includes
/// mpi.h; dart.h does not include it.

#include <mpi.h>

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Starts the runtime on the processes of a communicator. They become its units, in the order of
/// their ranks.
///
/// The application initializes MPI before, and finalizes it after dart_exit. The communicator may
/// be freed when the call returns. Processes outside of the communicator do not take part, and may
/// start another runtime on another communicator at the same time. Communicators and windows that
/// were created for a group of processes exist until MPI ends; the next start on the same group
/// reuses them.
///
/// dash::init() may be called afterwards for the C++ interface; dash::finalize() then ends both.
/// \param provided  receives DART_THREAD_MULTIPLE iff MPI provides MPI_THREAD_MULTIPLE; may be NULL
/// \returns DART_ERR_INVAL for MPI_COMM_NULL, an intercommunicator, or an invalid setting in the
///          environment; DART_ERR_OTHER if the runtime is already initialized, or MPI is not
/// \collective all processes of the communicator  \blocks until all have called it
DART_API dart_ret_t dart_init_comm(MPI_Comm communicator,
                                   dart_thread_support_level_t* provided) DART_NOTHROW;

/// A communicator of a team's units, whose ranks are their ids in the team, for libraries that need
/// one.
/// \param communicator  receives the same communicator in each call. The team owns it: do not free
///                      it. Its error handler is MPI_ERRORS_RETURN
/// \returns DART_ERR_INVAL for an unknown team; DART_ERR_OTHER on all units if MPI cannot create it on one
/// \collective over the team  \blocks until all have called it
DART_API dart_ret_t dart_team_communicator(dart_team_t teamid, MPI_Comm* communicator) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
