#pragma once

#include <cstddef>

#include "dash/core/Export.h"
#include "dash/dart/if/dart.h"  // for programs that also use the C interface
#include "dash/internal/Unit.h"

namespace dash {

/// Starts the library: reads the environment settings, starts the runtime and initializes
/// Team::All(). If the application initialized MPI, init() can be called again after finalize(),
/// any number of times. If the application has already started the runtime, for example with
/// dart_init_comm on a subset of the processes, init() uses it.
/// \collective all processes  \blocks until all have called it
/// \throws exception::RuntimeError if already initialized or if the runtime cannot start,
///         exception::InvalidArgument for a bad setting
/// \ingroup teams
DASH_API void init(int* argc, char*** argv);

/// Ends the library: frees the memory of containers that still exist, then shuts down the runtime.
/// Containers destroyed later do nothing. Without effect if not initialized.
/// \collective over all units  \blocks until all have called it
/// \throws after the shutdown: the exception of a container's destruction, such as of a Mutex that
///         a unit holds
/// \ingroup teams
DASH_API void finalize();

/// Whether the caller is between init() and finalize(), or the application has started the C
/// runtime.
/// \threads thread-safe
/// \ingroup teams
DASH_API bool is_initialized() noexcept;

/// Whether several threads of a unit may communicate concurrently.
/// \threads thread-safe
/// \ingroup teams
DASH_API bool is_multithreaded() noexcept;

/// The caller's id among all units; -1 if not initialized.
/// \threads thread-safe
/// \ingroup teams
DASH_API global_unit_t myid() noexcept;

/// The number of all units; 0 if not initialized.
/// \threads thread-safe
/// \ingroup teams
DASH_API std::size_t size() noexcept;

/// Team::All().barrier().
/// \collective over all units  \blocks until all have called it
/// \ingroup teams
DASH_API void barrier();

/// Makes progress once in the calling thread, like dart_progress(): polls pending operations,
/// serves requests of other units, runs ready continuations, and runs a task if no other thread of
/// the unit runs tasks. For long computations in mode `poll`, in which no other thread makes
/// progress.
/// \returns whether anything advanced, for this unit or for another one
/// \blocks never, unless a function that it runs blocks  \threads thread-safe
/// \throws exception::RuntimeError before init() and after finalize()
/// \ingroup teams
DASH_API bool progress();

/// Ends all units immediately with an exit code, by default one that indicates failure.
/// \ingroup teams
[[noreturn]] DASH_API void abort(int error_code);
/// \overload
/// \ingroup teams
[[noreturn]] DASH_API void abort();

}  // namespace dash
