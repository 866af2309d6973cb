#pragma once

#include "dash/async/FunctionRef.h"

namespace dash::exec {

class Scheduler;

/// The number of workers that run tasks or look for some. Relaxed: a hint for the choice of a processor.
int active_workers() noexcept;

/// Makes a worker of the unit's arena run Scheduler::serve().
void arena_enqueue_serve(Scheduler& scheduler) noexcept;

/// Calls body(thread) executor_workers() times, on the calling thread and on idle workers. `thread` is the
/// index of the executing thread in the arena, from 0 to executor_workers() - 1.
/// \throws the first exception of a call, after the running ones have returned
void arena_run(FunctionRef<void(int)> body);

}  // namespace dash::exec
