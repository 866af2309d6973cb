// dash-bench: units=2 layouts=node
//
// MPI calls of the application while another unit waits in the library, on one node: puts that are completed by a
// flush, compared with a target that waits in MPI_Barrier, and the processor time that the waiting unit uses for the
// progress of MPI, compared with the duration of the wait. DART_APPLICATION_MPI describes the two rates of polls.

#include <mpi.h>
#include <time.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "dash/dart/Mpi.h"
#include "support/Comparison.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int samples = 7;
constexpr std::size_t large_nbytes = std::size_t{16} << 20;
constexpr std::chrono::milliseconds wait_length{500};

double processor_time_ns() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

struct Put {
  const char* size;
  std::vector<char> data;
  long repetitions;

  /// \returns nanoseconds of a put and its flush, valid at unit 0
  double measure(MpiWindow& window, PeerWait peer_wait) const {
    const int nbytes = static_cast<int>(data.size());
    return measure_on_first_unit(peer_wait, [&] {
      return measure_ns_per_call(repetitions, [&](long) {
        MPI_Put(data.data(), nbytes, MPI_BYTE, 1, 0, nbytes, MPI_BYTE, window.get());
        MPI_Win_flush(1, window.get());
      });
    });
  }
};

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
  for (const Put& put :
       {Put{"8 B", std::vector<char>(8), 20}, Put{"16 MiB", std::vector<char>(large_nbytes), 1}}) {
    Samples in_library;
    Samples in_mpi;
    Samples in_mpi_repeated;
    for (int i = 0; i < samples; ++i) {
      in_mpi.push_back(put.measure(window, PeerWait::mpi_barrier));
      in_library.push_back(put.measure(window, PeerWait::dart_barrier));
      in_mpi_repeated.push_back(put.measure(window, PeerWait::mpi_barrier));
    }
    table.add(make_row("MPI_Put, flush, target in dart_barrier, " + rate, put.size,
                       "target in MPI_Barrier",
                       compare_samples(in_library, in_mpi, in_mpi_repeated)));
  }
  Samples used;
  for (int i = 0; i < samples; ++i)
    used.push_back(wait_in_barrier(world));
  const double length_ns = std::chrono::duration<double, std::nano>(wait_length).count();
  table.add(make_row("processor time of a wait, " + rate, "500 ms", "duration of the wait",
                     compare_samples(used, Samples(samples, length_ns), {})));
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    MpiWindow window(large_nbytes);
    measure(world, window, "rare polls", table);
    MPI_Comm communicator =
        MPI_COMM_NULL;  // the library assumes from then on that the application uses MPI
    check(dart_team_communicator(DART_TEAM_ALL, &communicator));
    measure(world, window, "frequent polls", table);
    table.print();
  });
}
