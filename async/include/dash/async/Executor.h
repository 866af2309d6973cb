#pragma once

#include <cstddef>
#include <string>

#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::exec {

/// The threads that run the tasks of this unit, the calling one included: the processors of the
/// unit's share of its host.
DASH_API int executor_workers() noexcept;

/// Sets the number of threads; the runtime does so at init.
/// \pre no chunks are running
DASH_API void set_executor_workers(int workers) noexcept;

/// Calls body(0) ... body(nchunks - 1), each once, on the threads of the unit; in order and inline
/// if there is one thread or one chunk. The body must not wait for communication.
/// \completion all chunks have returned
/// \threads any
/// \throws the first exception of a chunk, after the running ones have returned
DASH_API void run_chunks(std::size_t nchunks, FunctionRef<void(std::size_t)> body);

/// Name and version of the library that runs the threads. \threads any
DASH_API std::string executor_library();

}  // namespace dash::exec
