#pragma once

#include <mpi.h>
#include <sched.h>

#include "support/StoreWait.h"

namespace kernels {

/// Processes for each processor, on the host where they are most. A host's processors are all that any
/// of its processes may use: each may be bound to one of its own. The same in all processes.
/// \collective the first call, which is that of MpiWorld's constructor
double crowding();

/// Whether there are more processes than processors: then who spins takes the time of those it waits
/// for.
inline bool is_crowded() {
  return crowding() > 1;
}

/// Lets MPI look at the network: transfers may need the target's, or the origin's, help.
inline void make_progress() {
  int is_there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

/// Waits for a request by testing it: in MPI's own waits nobody else gets the processor. A crowded
/// process gives it away after each test that was in vain.
inline void wait_politely(MPI_Request& request) {
  const bool yields = is_crowded();
  for (int tests = 0;; ++tests) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    if (yields || tests > 1000) sched_yield();
  }
}

/// Returns when `is_ready()`, which others' puts bring about.
template <class IsReady>
void wait_for_puts(const IsReady& is_ready) {
  for (int spins = 1; !is_ready(); ++spins) {
    if (spins % 16 == 0) make_progress();
    if (spins % 16384 == 0) sched_yield();
  }
}

}  // namespace kernels
