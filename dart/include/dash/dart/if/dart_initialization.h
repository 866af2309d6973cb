#pragma once

/// \file
/// Start, progress and end of the runtime.

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \addtogroup c_runtime
/// @{

/// Starts the runtime: units, DART_TEAM_ALL, global memory, progress.
///
/// If the application has not initialized MPI, dart_init does so with MPI_THREAD_MULTIPLE, and
/// dart_exit finalizes it. Between the two calls, a unit that is terminated by a signal or an
/// exception reports its number and the cause (DART_SIGNALS), and a unit that exits without
/// dart_exit ends the job. A child process that is forked in between may only exit or execute
/// another program; it takes no part in communication.
///
/// If the application has initialized MPI, the MPI objects of the runtime (windows, communicators,
/// mappings) survive dart_exit and are reused by the next dart_init.
/// \returns DART_ERR_OTHER if already initialized, DART_ERR_INVAL for a bad setting in the
///          environment, DART_ERR_NOMEM if the global memory cannot be mapped
/// \collective all processes of MPI_COMM_WORLD  \blocks until all have called it
DART_API dart_ret_t dart_init(int* argc, char*** argv) DART_NOTHROW;

/// dart_init that also returns the thread level that the application may use.
/// \param provided  output: DART_THREAD_MULTIPLE iff MPI gives MPI_THREAD_MULTIPLE
DART_API dart_ret_t dart_init_thread(int* argc, char*** argv,
                                     dart_thread_support_level_t* provided) DART_NOTHROW;

/// Ends the runtime: completes operations in flight and frees all global memory. If dart_exit calls
/// MPI_Finalize and the call hangs, it is abandoned after DART_FINALIZE_TIMEOUT_S seconds.
/// \returns DART_ERR_OTHER if not initialized
/// \collective over all units  \blocks until all have called it
DART_API dart_ret_t dart_exit(void) DART_NOTHROW;

/// True between dart_init and dart_exit.
DART_API bool dart_initialized(void) DART_NOTHROW;

/// Terminates all units after writing buffered output and a line that names the caller.
/// \param errorcode  exit code of the job, if its launcher passes it on
DART_API void dart_abort(int errorcode) DART_NOTHROW __attribute__((noreturn));

/// Describes the calling thread's last error: the value that was passed and what was expected.
/// Valid until the thread's next failing call; "" if no call has failed.
DART_API const char* dart_last_error(void) DART_NOTHROW;

/// Makes progress once on the calling thread: polls for the completion of operations in flight and for
/// requests of other units, copies a chunk of queued copies, runs ready continuations and, if no other thread
/// of the unit executes tasks, one task. In progress mode `poll` a computing unit serves other units only in
/// such calls. In the other modes the call is harmless and usually finds nothing to do.
///
/// When called from a continuation, it runs other ready continuations on the same stack; when called from a
/// task, it first lets other tasks run.
/// \returns DART_ERR_NOTINIT before dart_init and after dart_exit
/// \blocks never, unless what it runs does  \threads thread-safe
/// \cost about 20 ns on one node with nothing in flight; between nodes a poll of the network; plus the work
///       that it finds
DART_API dart_ret_t dart_progress(void) DART_NOTHROW;

/// dart_progress that also returns whether any operation advanced.
/// \param advanced  output: 1 if the call did work for this unit or another one, else 0
DART_API dart_ret_t dart_progress_test(int32_t* advanced) DART_NOTHROW;

/// @}

#ifdef __cplusplus
}
#endif
