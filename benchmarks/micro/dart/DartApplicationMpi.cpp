// dash-bench: units=2 layouts=node
//
// MPI calls of the application while another unit waits in the library, on one node: puts that are completed by a
// flush, compared with a target that waits in MPI_Barrier, and the processor time that the waiting unit uses for the
// progress of MPI, compared with the duration of the wait. DART_APPLICATION_MPI describes the two rates of polls.

#include <mpi.h>
#include <time.h>

#include <chrono>
#include <string>
#include <thread>

#include "dash/dart/Mpi.h"
#include "support/Comparison.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int samples = 7;
constexpr long puts = 20;
constexpr std::chrono::milliseconds wait_length{500};

double processor_time_ns() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// \returns nanoseconds of a put and its flush, valid at unit 0
double put(MpiWindow& window, PeerWait peer_wait) {
  return measure_on_first_unit(peer_wait, [&] {
    return measure_ns_per_call(puts, [&](long i) {
      MPI_Put(&i, 1, MPI_LONG, 1, 0, 1, MPI_LONG, window.get());
      MPI_Win_flush(1, window.get());
    });
  });
}

/// \returns processor time of unit 1 while it waits in a barrier, on all units
double wait_in_barrier(const World& world) {
  check(dart_barrier(DART_TEAM_ALL));
  const double begin = processor_time_ns();
  if (world.is_first_unit()) std::this_thread::sleep_for(wait_length);
  check(dart_barrier(DART_TEAM_ALL));
  double used = processor_time_ns() - begin;
  check(dart_bcast(&used, 1, DART_TYPE_DOUBLE, DART_TEAM_UNIT_ID(1), DART_TEAM_ALL));
  return used;
}

void measure(const World& world, MpiWindow& window, const std::string& rate, Table& table) {
  Samples in_library;
  Samples in_mpi;
  Samples in_mpi_repeated;
  Samples used;
  for (int i = 0; i < samples; ++i) {
    in_mpi.push_back(put(window, PeerWait::mpi_barrier));
    in_library.push_back(put(window, PeerWait::dart_barrier));
    in_mpi_repeated.push_back(put(window, PeerWait::mpi_barrier));
    used.push_back(wait_in_barrier(world));
  }
  const double length_ns = std::chrono::duration<double, std::nano>(wait_length).count();
  table.add(make_row("MPI_Put, flush, target in dart_barrier, " + rate, "8 B",
                     "target in MPI_Barrier",
                     compare_samples(in_library, in_mpi, in_mpi_repeated)));
  table.add(make_row("processor time of a wait, " + rate, "500 ms", "duration of the wait",
                     compare_samples(used, Samples(samples, length_ns), {})));
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    MpiWindow window(sizeof(long));
    measure(world, window, "rare polls", table);
    MPI_Comm communicator =
        MPI_COMM_NULL;  // the library assumes from then on that the application uses MPI
    check(dart_team_communicator(DART_TEAM_ALL, &communicator));
    measure(world, window, "frequent polls", table);
    table.print();
  });
}
