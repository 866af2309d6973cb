#pragma once

#include <cstddef>

#include "dash/core/Export.h"
#include "dash/dart/if/dart.h"  // programs use the C interface along with this one
#include "dash/internal/Unit.h"

namespace dash {

/// Starts the library: reads the settings of the environment, starts the runtime and Team::All().
/// May be called again after finalize(); if MPI was initialised before, any number of times. Goes on
/// from a runtime that the application has started, with dart_init_comm on some processes only.
/// \collective all processes  \blocks until all have called it
/// \throws exception::RuntimeError if already initialised or if the runtime cannot start,
///         exception::InvalidArgument for a bad setting
DASH_API void init(int* argc, char*** argv);

/// Ends the library: frees the memory of containers that are still alive, then ends the runtime.
/// Containers destroyed later do nothing. Without effect if not initialised.
/// \collective all units  \blocks until all have called it
/// \throws what the end of a container threw, as that of a Mutex that a unit holds, after all the rest
DASH_API void finalize();

/// Whether the caller is between init() and finalize(), or the application runs the C runtime itself.
/// \threads any
DASH_API bool is_initialized() noexcept;

/// Whether several threads of a unit may communicate at once.
/// \threads any
DASH_API bool is_multithreaded() noexcept;

/// The caller's id among all units; -1 when not initialised.
/// \threads any
DASH_API global_unit_t myid() noexcept;

/// The number of all units; 0 when not initialised.
/// \threads any
DASH_API std::size_t size() noexcept;

/// Team::All().barrier().
/// \collective all units  \blocks until all have called it
DASH_API void barrier();

/// Lets the calling thread make progress, once, as dart_progress() does: what is in flight, what other
/// units ask of this one, continuations that are ready, and a task where no other thread of the unit
/// runs them. For loops that compute for long in the mode `poll`, where nobody else does so.
/// \returns whether anything advanced, for this unit or for another
/// \blocks never, unless what it runs does  \threads any
/// \throws exception::RuntimeError before init() and after finalize()
DASH_API bool progress();

/// Ends all units at once with an exit code, by default that of a failure.
[[noreturn]] DASH_API void abort(int error_code);
/// \overload
[[noreturn]] DASH_API void abort();

}  // namespace dash
