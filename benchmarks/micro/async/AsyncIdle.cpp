// dash-bench: units=2 layouts=node,nolocal,tcp
//
// The cost of an idle library for computing units: a computation in registers on all units, each bound to a
// processor, while the library is initialized but not used, compared with the same computation in the same
// process while it is not initialized.

#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <iterator>
#include <thread>

#include "dash/core/CpuSet.h"
#include "dash/core/Topology.h"
#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr double allowed_on_node = 1.01;
constexpr double allowed_between_nodes = 1.03;
constexpr int samples = 21;
constexpr double sample_ns = 200e6;
/// The time after the initialization of the library until its threads are idle.
constexpr std::chrono::milliseconds settling{20};

/// \returns nanoseconds of the slowest unit
/// \collective over all units
double compute_everywhere(std::uint64_t iterations) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double own = measure_ns_per_call(1, [&](long) { compute(iterations); });
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
  // The library sets this, too, when it initializes MPI.
  ::setenv("MPIR_CVAR_REQUEST_POLL_FREQ", "1", 0);
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  bind_to_own_processor();
  auto iterations = static_cast<std::uint64_t>(sample_ns / measure_ns_per_iteration());
  MPI_Bcast(&iterations, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);

  Samples with;
  Samples without;
  Samples without_repeated;
  for (int i = 0; i < samples; ++i) {
    without.push_back(compute_everywhere(iterations));
    {
      const World world(&argc, &argv);
      std::this_thread::sleep_for(settling);
      with.push_back(compute_everywhere(iterations));
    }
    without_repeated.push_back(compute_everywhere(iterations));
  }
  const int code = run_program(argc, argv, [&](const World& world) {
    if (!world.is_first_unit()) return;
    const double allowed = world.on_one_node() ? allowed_on_node : allowed_between_nodes;
    Table table;
    table.add(make_row("computation beside an idle library", "", "without the library",
                       compare_samples(with, without, without_repeated), ratio_at_most(allowed)));
    table.print();
  });
  MPI_Finalize();
  return code;
}
