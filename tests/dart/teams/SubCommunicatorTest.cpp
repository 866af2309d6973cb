// dash-test: parallel main=own units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll timeout=120

// The runtime on some of the processes of an MPI that the application owns.

#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "dart/support/AbortingCheck.h"
#include "dash/Array.h"
#include "dash/Future.h"
#include "dash/Init.h"
#include "dash/dart/Mpi.h"
#include "dash/dart/if/dart.h"

namespace {

long count_entries(const char* folder) {
  long n = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder))
    ++n;
  return n;
}

long count_heap_maps() {
  long n = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    n += line.find("dash-heap") != std::string::npos ? 1 : 0;
  return n;
}

/// Checks that the runtime has the expected units, and that transfers, messages and collectives work
/// among them.
void check_runtime(int rank, int size) {
  dart_global_unit_t me;
  size_t units = 0;
  CHECK(dart_myid(&me) == DART_OK && me.id == rank);
  CHECK(dart_size(&units) == DART_OK && units == static_cast<size_t>(size));
  dart_gptr_t base;
  CHECK(dart_team_memalloc_aligned(DART_TEAM_ALL, 100, DART_TYPE_INT, &base) == DART_OK);
  dart_gptr_t right = base;
  right.unitid = (rank + 1) % size;
  const std::vector<int> data(100, rank);
  CHECK(dart_put_blocking(right, data.data(), 100, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
  CHECK(dart_barrier(DART_TEAM_ALL) == DART_OK);
  dart_gptr_t own = base;
  own.unitid = rank;
  int got = -1;
  CHECK(dart_get_blocking(&got, own, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
  CHECK(got == (rank + size - 1) % size);
  int received = -1;
  CHECK(dart_sendrecv(&rank, 1, DART_TYPE_INT, 1, dart_global_unit_t((rank + 1) % size), &received,
                      1, DART_TYPE_INT, 1,
                      dart_global_unit_t((rank + size - 1) % size)) == DART_OK);
  CHECK(received == got);
  int sum = 1;
  CHECK(dart_allreduce(&sum, &sum, 1, DART_TYPE_INT, DART_OP_SUM, DART_TEAM_ALL) == DART_OK);
  CHECK(sum == size);
  CHECK(dart_barrier(DART_TEAM_ALL) == DART_OK);
  CHECK(dart_team_memfree(base) == DART_OK);
}

void run_on(MPI_Comm communicator) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  dart_thread_support_level_t level = DART_THREAD_SINGLE;
  CHECK(dart_init_comm(communicator, &level) == DART_OK);
  CHECK(level == DART_THREAD_MULTIPLE);
  CHECK(dart_init_comm(communicator, nullptr) == DART_ERR_OTHER);
  check_runtime(rank, size);
  CHECK(dart_exit() == DART_OK);
}

MPI_Comm part_of(int color, int key) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &part);
  return part;
}

/// Runs two runtimes at the same time, on the two halves of the processes.
void two_halves(int rank) {
  MPI_Comm half = part_of(rank % 2, rank);
  run_on(half);
  MPI_Comm_free(&half);
}

/// Runs on some processes only, in a different order; the others continue with MPI.
void upper_part(int rank, int size) {
  const bool inside = rank >= size / 2;
  MPI_Comm part = part_of(inside ? 0 : MPI_UNDEFINED, -rank);
  if (inside) {
    run_on(part);
    MPI_Comm_free(&part);
  } else {
    CHECK(dart_init_comm(part, nullptr) == DART_ERR_INVAL);
    CHECK(!dart_initialized());
  }
}

void all(int rank, int size) {
  CHECK(dart_init(nullptr, nullptr) == DART_OK);
  check_runtime(rank, size);
  CHECK(dart_exit() == DART_OK);
}

/// Uses the C++ interface on one half of the processes.
void containers(int rank) {
  MPI_Comm half = part_of(rank % 2, rank);
  CHECK(dart_init_comm(half, nullptr) == DART_OK);
  MPI_Comm_free(&half);
  dash::init(nullptr, nullptr);
  {
    dash::Array<int> array(10 * dash::size());
    array.local[3] = dash::myid().id;
    array.barrier();
    for (std::size_t unit = 0; unit < dash::size(); ++unit) {
      CHECK(array[static_cast<long>(10 * unit + 3)] == static_cast<int>(unit));
    }
    array.barrier();
  }
  dash::finalize();
  CHECK(!dart_initialized());
}

/// The last process waits alone in the library, until the first one has written to its memory with MPI.
void one_process(int rank, int size) {
  // MPICH 4.0 with UCX takes a multiple of 16 as the base of a window.
  alignas(64) std::atomic<long> written{0};
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(&written, sizeof written, sizeof written, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  const bool is_last = rank == size - 1;
  if (is_last) CHECK(dart_init_comm(MPI_COMM_SELF, nullptr) == DART_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_last) {
    dash::Promise<void> promise;
    const dash::Future<void> future = promise.get_future();
    std::thread reader([&] {
      while (written.load() == 0)
        std::this_thread::yield();
      promise.set_value();
    });
    if (rank == 0) written.store(1);
    future.wait();
    reader.join();
    CHECK(dart_exit() == DART_OK);
  } else if (rank == 0) {
    const long one = 1;
    MPI_Put(&one, 1, MPI_LONG, size - 1, 0, 1, MPI_LONG, window);
    MPI_Win_flush(size - 1, window);
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

void team_communicator(int rank, int size) {
  CHECK(dart_init(nullptr, nullptr) == DART_OK);
  MPI_Comm communicator = MPI_COMM_NULL;
  CHECK(dart_team_communicator(DART_TEAM_ALL, &communicator) == DART_OK);
  int its_rank = -1;
  int its_size = 0;
  MPI_Comm_rank(communicator, &its_rank);
  MPI_Comm_size(communicator, &its_size);
  CHECK(its_rank == rank && its_size == size);
  MPI_Comm again = MPI_COMM_NULL;
  CHECK(dart_team_communicator(DART_TEAM_ALL, &again) == DART_OK);
  CHECK(again == communicator);
  CHECK(dart_team_communicator(DART_TEAM_NULL, &again) == DART_ERR_INVAL);
  CHECK(again == MPI_COMM_NULL);
  CHECK(dart_team_communicator(DART_TEAM_ALL, nullptr) == DART_ERR_INVAL);
  CHECK(dart_exit() == DART_OK);
}

void intercommunicator(int rank) {
  MPI_Comm half = part_of(rank % 2, rank);
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
  CHECK(dart_init_comm(between, nullptr) == DART_ERR_INVAL);
  CHECK(!dart_initialized());
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

void wrong_communicators(int rank, int size) {
  CHECK(dart_init_comm(MPI_COMM_NULL, nullptr) == DART_ERR_INVAL);
  CHECK(std::strstr(dart_last_error(), "MPI_COMM_NULL") != nullptr);
  if (size > 1) intercommunicator(rank);
}

}  // namespace

int main(int argc, char** argv) {
  int rank = 0;
  int size = 0;
  int level = 0;
  CHECK(dart_init_comm(MPI_COMM_SELF, nullptr) == DART_ERR_OTHER);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  wrong_communicators(rank, size);
  team_communicator(rank, size);
  containers(rank);
  if (size > 1) one_process(rank, size);  // Open MPI 4.1 creates no window for one process
  long descriptors = 0;
  long heap_maps = 0;
  for (int round = 0; round < 20; ++round) {
    two_halves(rank);
    upper_part(rank, size);
    if (round % 5 == 0) all(rank, size);
    if (round == 5) {
      descriptors = count_entries("/proc/self/fd");
      heap_maps = count_heap_maps();
    }
  }
  CHECK(count_entries("/proc/self/fd") == descriptors);
  CHECK(count_heap_maps() == heap_maps);
  MPI_Finalize();
  if (rank == 0) std::printf("%d processes in parts: 1 passed, 0 failed\n", size);
  return 0;
}
