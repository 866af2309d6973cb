#pragma once

/// \file
/// The runtime and an MPI of the application's: the one public header that includes mpi.h, for who
/// asks for it. dart.h does not.

#include <mpi.h>

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Starts the runtime on the processes of a communicator: they are its units, by their ranks there.
///
/// The application has initialised MPI, and finalises it after dart_exit; the communicator may be
/// freed as soon as this returns. Processes outside of it do not take part, and may start a runtime
/// of their own on another communicator at the same time. What was made for a group of processes is
/// kept until MPI ends, and used again by the next start on the same group.
///
/// The C++ interface goes on from here: dash::init() after it adds what it has to add, and
/// dash::finalize() ends both.
/// \param provided  receives DART_THREAD_MULTIPLE iff MPI gives MPI_THREAD_MULTIPLE; may be NULL
/// \returns DART_ERR_INVAL for MPI_COMM_NULL, a communicator between two groups, or a bad setting in
///          the environment; DART_ERR_OTHER if already initialised, or if MPI is not
/// \collective all processes of the communicator  \blocks until all have called it
DART_API dart_ret_t dart_init_comm(MPI_Comm communicator,
                                   dart_thread_support_level_t* provided) DART_NOTHROW;

/// A communicator of a team's units, by their ids in the team, for libraries that need one.
/// \param communicator  receives the same one each time, owned by the team: do not free it; with
///                      errors returned, not fatal
/// \returns DART_ERR_INVAL for an unknown team
/// \collective over the team  \blocks until all have called it
DART_API dart_ret_t dart_team_communicator(dart_team_t teamid, MPI_Comm* communicator) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
