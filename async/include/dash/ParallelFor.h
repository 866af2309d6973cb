#pragma once

#include <cstddef>
#include <utility>

#include "dash/async/Executor.h"

namespace dash {

/// Calls body(i) once for each i in [0, n), on the threads of the calling unit. Use it for loops over data of
/// this unit; for global ranges use for_each() and the other algorithms. The iterations may have different
/// costs: they are distributed dynamically, several at a time if they are short. On a unit with one processor
/// it is a sequential loop.
///
///     dash::parallel_for(blocks.size(), [&](std::size_t i) { relax(blocks[i]); });
///
/// \param body  may be called by several threads at once; must not wait for communication
/// \collective no  \blocks until all calls have returned
/// \threads thread-safe; may be nested
/// \throws the first exception of a call, after the running calls have returned; the remaining iterations are
///         not executed
/// \cost waking another thread takes some microseconds, so shorter loops run on the calling thread
/// \ingroup tasks
template <class Body>
void parallel_for(std::size_t n, Body&& body) {
  exec::run_chunks(n, std::forward<Body>(body));
}

}  // namespace dash
