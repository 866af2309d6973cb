#pragma once

#include <mpi.h>
#include <sched.h>

#include "support/StoreWait.h"

namespace kernels {

/// The number of processes per processor on the most loaded host. The processors of a host are the
/// union of those that its processes may use, since each process may be bound to a different one.
/// All processes get the same value.
/// \collective the first call, which the constructor of MpiWorld makes
double processes_per_processor();

/// Whether a host has more processes than processors. A process that spins then takes processor
/// time from the processes that it waits for.
inline bool is_oversubscribed() {
  return processes_per_processor() > 1;
}

/// Calls MPI's progress engine: a transfer may need progress at the target or at the origin.
inline void make_progress() {
  int flag = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

/// Waits for a request by testing it, and yields the processor between tests; MPI_Wait of MPICH
/// spins without yielding. If the host is oversubscribed, yields after each unsuccessful test,
/// otherwise after 1000 of them.
inline void wait_yielding(MPI_Request& request) {
  const bool yields = is_oversubscribed();
  for (int tests = 0;; ++tests) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    if (yields || tests > 1000) sched_yield();
  }
}

/// Returns when `is_ready()`, a condition that puts of other processes fulfil.
template <class IsReady>
void wait_for_puts(const IsReady& is_ready) {
  for (int spins = 1; !is_ready(); ++spins) {
    if (spins % 16 == 0) make_progress();
    if (spins % 16384 == 0) sched_yield();
  }
}

}  // namespace kernels
