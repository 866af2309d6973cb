#include "support/MpiWait.h"

#include <dash/core/Topology.h>

#include <cstdint>
#include <limits>

#include "support/World.h"

namespace kernels {

namespace {

double count_processes_per_processor() {
  // Group processes by host name, since MPI may treat the processes of one host as those of several
  // nodes.
  constexpr std::uint64_t colors = std::numeric_limits<int>::max();
  MPI_Comm neighbours = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(host_id() % colors), 0, &neighbours);
  int processes = 0;
  MPI_Comm_size(neighbours, &processes);
  dash::core::CpuSet processors = dash::core::this_thread_affinity();
  MPI_Allreduce(MPI_IN_PLACE, &processors, sizeof processors, MPI_BYTE, MPI_BOR, neighbours);
  MPI_Comm_free(&neighbours);
  double largest = static_cast<double>(processes) / processors.count();
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return largest;
}

}  // namespace

double processes_per_processor() {
  static const double count = count_processes_per_processor();
  return count;
}

}  // namespace kernels
