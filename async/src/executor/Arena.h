#pragma once

#include "dash/async/FunctionRef.h"

namespace dash::exec {

/// Has a worker of the unit's arena come and run Scheduler::serve().
void arena_enqueue_serve() noexcept;

/// Calls body(thread) on the calling thread and on the workers that come, as many times as there are
/// workers. \param thread  of the arena: 0 ... executor_workers() - 1, each one's own
/// \throws the first exception of a call, after the running ones have returned
void arena_run(FunctionRef<void(int)> body);

}  // namespace dash::exec
