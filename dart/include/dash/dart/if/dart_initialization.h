#pragma once

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Starts the runtime: units, DART_TEAM_ALL, global memory, progress.
///
/// Initialises MPI with MPI_THREAD_MULTIPLE where nobody has, and then finalises it in dart_exit.
/// Until dart_exit a unit that dies of a signal or an exception says which one it is (DART_SIGNALS), and
/// one that exits without dart_exit ends the job. A child forked meanwhile may exit, or execute another
/// program, and no more: it has no part in the communication.
///
/// On an MPI that the application initialised, what the runtime made of it (windows,
/// communicators, mappings) survives dart_exit and is used again by the next dart_init.
/// \returns DART_ERR_OTHER if already initialised, DART_ERR_INVAL for a bad setting in the
///          environment, DART_ERR_NOMEM if the global memory cannot be mapped
/// \collective all processes of MPI_COMM_WORLD  \blocks until all have called it
DART_API dart_ret_t dart_init(int* argc, char*** argv) DART_NOTHROW;

/// dart_init, telling the thread level that the application has.
/// \param provided  output: DART_THREAD_MULTIPLE iff MPI gives MPI_THREAD_MULTIPLE
DART_API dart_ret_t dart_init_thread(int* argc, char*** argv,
                                     dart_thread_support_level_t* provided) DART_NOTHROW;

/// Ends the runtime: completes what is in flight, frees all global memory. An MPI_Finalize of our own
/// that hangs is given up after DART_FINALIZE_TIMEOUT_S seconds.
/// \returns DART_ERR_OTHER if not initialised
/// \collective all units  \blocks until all have called it
DART_API dart_ret_t dart_exit(void) DART_NOTHROW;

/// True between dart_init and dart_exit.
DART_API bool dart_initialized(void) DART_NOTHROW;

/// Ends all units at once, with a line that names the caller. Buffered output is written before.
/// \param errorcode  of the job, as far as its launcher passes it on
DART_API void dart_abort(int errorcode) DART_NOTHROW __attribute__((noreturn));

/// Text of the calling thread's last error: what was passed and what was expected.
/// Valid until the thread's next failing call; "" if none has failed.
DART_API const char* dart_last_error(void) DART_NOTHROW;

/// Lets the calling thread make progress, once: polls for what is in flight and for what other units ask
/// of this one, copies a piece of what is queued, runs continuations that are ready and, where no other
/// thread of the unit does, one task. In the mode `poll` nobody else does so while a unit computes: each
/// call serves its peers. In the other modes it does no harm, and mostly finds nothing to do.
///
/// From a continuation it runs others that are ready on top of it; from a task it lets others run first.
/// \returns DART_ERR_NOTINIT before dart_init and after dart_exit
/// \blocks never, unless what it runs does  \threads any
/// \cost on one node with nothing in flight some 20 ns, between nodes a look at the network; what is found
DART_API dart_ret_t dart_progress(void) DART_NOTHROW;

/// dart_progress, telling whether anything advanced.
/// \param advanced  output: 1 if something was found to do, for this unit or for another, else 0
DART_API dart_ret_t dart_progress_test(int32_t* advanced) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
