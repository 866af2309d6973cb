#pragma once

#include <mpi.h>
#include <sched.h>

#include <thread>

#include "support/StoreWait.h"

namespace kernels {

/// Whether there are more processes than processors: then who spins takes the time of those it waits
/// for.
inline bool is_crowded(int units) {
  return static_cast<unsigned>(units) > std::thread::hardware_concurrency();
}

/// Lets MPI look at the network: transfers may need the target's, or the origin's, help.
inline void make_progress() {
  int is_there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

/// Waits for a request by testing it: in MPI's own waits nobody else gets the processor. A crowded
/// process gives it away after each test that was in vain.
inline void wait_politely(MPI_Request& request) {
  static const bool is_alone = [] {
    int units = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &units);
    return !is_crowded(units);
  }();
  for (int tests = 0;; ++tests) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    if (!is_alone || tests > 1000) sched_yield();
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
