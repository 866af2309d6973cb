#pragma once

namespace dash::exec {

/// Has a worker of the unit's arena come and run Scheduler::serve().
void arena_enqueue_serve() noexcept;

}  // namespace dash::exec
