#include "support/MpiWait.h"

#include <dash/core/Topology.h>

#include <cstdint>
#include <limits>

#include "support/World.h"

namespace kernels {

namespace {

double find_crowding() {
  // Of the host, also where MPI takes its processes for those of several nodes.
  constexpr std::uint64_t colors = std::numeric_limits<int>::max();
  MPI_Comm neighbours = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(host_number() % colors), 0, &neighbours);
  int processes = 0;
  MPI_Comm_size(neighbours, &processes);
  dash::core::CpuSet processors = dash::core::this_thread_affinity();
  MPI_Allreduce(MPI_IN_PLACE, &processors, sizeof processors, MPI_BYTE, MPI_BOR, neighbours);
  MPI_Comm_free(&neighbours);
  double most = static_cast<double>(processes) / processors.count();
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

}  // namespace

double crowding() {
  static const double found = find_crowding();
  return found;
}

}  // namespace kernels
