// dash-bench: units=2 layouts=node,nolocal,tcp
//
// What an idle library costs those who compute: a computation in registers on all units, each bound
// to a processor, while the library runs and nobody uses it, against the same in the same process
// while the library is not there.

#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <iterator>
#include <thread>

#include "dash/core/CpuSet.h"
#include "dash/core/Topology.h"
#include "support/Contest.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr double allowed_on_node = 1.01;
constexpr double allowed_between_nodes = 1.03;
constexpr int samples = 21;
constexpr double sample_ns = 200e6;
/// After the start of the library, until its threads have nothing to do.
constexpr std::chrono::milliseconds settling{20};

/// Of the slowest unit. \collective over all units
double compute_everywhere(std::uint64_t iterations) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double own = time_each(1, [&](long) { compute(iterations); });
  double slowest = 0;
  MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

void bind_to_own_processor() {
  int unit = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &unit);
  const dash::core::CpuSet all = dash::core::this_thread_affinity();
  dash::core::CpuSet own;
  own.set(*std::next(all.begin(), unit % all.count()));
  dash::core::bind_this_thread(own);
}

}  // namespace

int main(int argc, char** argv) {
  // As the library does when it initialises MPI.
  ::setenv("MPIR_CVAR_REQUEST_POLL_FREQ", "1", 0);
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  bind_to_own_processor();
  auto iterations = static_cast<std::uint64_t>(sample_ns / measure_ns_per_iteration());
  MPI_Bcast(&iterations, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);

  Samples with;
  Samples without;
  Samples without_again;
  for (int i = 0; i < samples; ++i) {
    without.push_back(compute_everywhere(iterations));
    {
      const World world(&argc, &argv);
      std::this_thread::sleep_for(settling);
      with.push_back(compute_everywhere(iterations));
    }
    without_again.push_back(compute_everywhere(iterations));
  }
  const int code = run_program(argc, argv, [&](const World& world) {
    if (!world.leads()) return;
    const double allowed = world.on_one_node() ? allowed_on_node : allowed_between_nodes;
    Table table;
    table.add(row_of("computation beside an idle library", "", "the same without it",
                     outcome_of(with, without, without_again), ratio_at_most(allowed)));
    table.print();
  });
  MPI_Finalize();
  return code;
}
