// dash-test: parallel main=own units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal,pairs,singles modes=auto,poll env=DART_HEAP_REGISTER:slabs timeout=120 smoke=yes

// The life cycle of the runtime on an MPI that the application owns. No Catch2 here: its runner
// would initialize the runtime.

#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "dart/support/AbortingCheck.h"
#include "dash/dart/Access.h"
#include "dash/dart/Collective.h"
#include "dash/dart/Placement.h"
#include "dash/dart/if/dart.h"

namespace {

struct Resources {
  long descriptors = 0;
  long heap_maps = 0;
  long maps = 0;
  long threads = 0;
  bool equals(const Resources& earlier) const {
#ifdef __SANITIZE_THREAD__
    constexpr long others = 1000;  // ThreadSanitizer maps memory for each thread
#else
    constexpr long others = 10;
#endif
    return descriptors == earlier.descriptors && heap_maps == earlier.heap_maps &&
           threads == earlier.threads && maps <= earlier.maps + others;
  }
};

long count_entries(const char* folder) {
  long n = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder))
    ++n;
  return n;
}

/// Resources of this process. The number of heap mappings is exact; the C library's allocator may add other
/// mappings.
Resources resources() {
  Resources result;
  result.descriptors = count_entries("/proc/self/fd");
  result.threads = count_entries("/proc/self/task");
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    ++result.maps;
    if (line.find("dash-heap") != std::string::npos) ++result.heap_maps;
  }
  return result;
}

bool broadcasts(int root) {
  using State = dash::dart::CollectiveState<void>;
  const auto state = dash::exec::StatePtr<State>::adopt(new State());
  int value = 0;
  dash::dart::start_bcast(dash::dart::Done(state), &value, sizeof value, root, DART_TEAM_ALL);
  state->wait();
  return !state->failed();
}

/// If all units are on one node, different roots are an error, in every session. Otherwise the
/// roots are not compared.
void check_roots(int me, int n) {
  CHECK(broadcasts(0));
  const bool compares_roots = n > 1 && dash::dart::placement().nodes == 1;
  CHECK(!compares_roots || !broadcasts(me == 0 ? 1 : 0));
}

/// A segment for which the first slab of a heap has no space: later sessions use the second slab again. Its
/// memory contains nothing of an earlier session.
void check_large_segment(int me) {
  constexpr std::size_t nbytes = std::size_t{60} << 20;
  dart_gptr_t gptr;
  // Unit 0 alone commits pages for all of its part.
  CHECK(dart_team_memalloc_aligned(DART_TEAM_ALL, me == 0 ? nbytes : 0, DART_TYPE_BYTE, &gptr) ==
        DART_OK);
  gptr.unitid = me;
  gptr.addr_or_offs.offset = nbytes - sizeof(long);
  void* address = nullptr;
  CHECK(dart_gptr_getaddr(gptr, &address) == DART_OK);
  CHECK(*static_cast<long*>(address) == 0);
  *static_cast<long*>(address) = 1;
  // dart_exit frees the segment.
}

void one_cycle(int round) {
  CHECK(!dart_initialized());
  CHECK(dart_init(nullptr, nullptr) == DART_OK);
  CHECK(dart_initialized());
  dart_global_unit_t me;
  size_t n = 0;
  CHECK(dart_myid(&me) == DART_OK);
  CHECK(dart_size(&n) == DART_OK);
  dart_gptr_t gptr;
  CHECK(dart_team_memalloc_aligned(DART_TEAM_ALL, 10'000, DART_TYPE_INT, &gptr) == DART_OK);
  dart_gptr_t mine = gptr;
  mine.unitid = me.id;
  void* address = nullptr;
  CHECK(dart_gptr_getaddr(mine, &address) == DART_OK);
  // Memory contains nothing of an earlier session.
  for (int i = 0; i < 10'000; ++i)
    CHECK(static_cast<int*>(address)[i] == 0);
  CHECK(dart_barrier(DART_TEAM_ALL) == DART_OK);
  dart_gptr_t right = gptr;
  right.unitid = (me.id + 1) % static_cast<int>(n);
  std::vector<int> data(10'000, round + me.id);
  dart_handle_t handle = DART_HANDLE_NULL;
  CHECK(dart_put_handle(right, data.data(), data.size(), DART_TYPE_INT, DART_TYPE_INT, &handle) ==
        DART_OK);
  CHECK(dart_wait(&handle) == DART_OK);
  CHECK(dart_barrier(DART_TEAM_ALL) == DART_OK);
  CHECK(static_cast<int*>(address)[9'999] ==
        round + (me.id + static_cast<int>(n) - 1) % static_cast<int>(n));
  check_roots(me.id, static_cast<int>(n));
  if (round < 4) check_large_segment(me.id);
  // The segment is left to dart_exit in every second round.
  if (round % 2 == 0) {
    CHECK(dart_barrier(DART_TEAM_ALL) == DART_OK);
    CHECK(dart_team_memfree(gptr) == DART_OK);
  }
  CHECK(dart_exit() == DART_OK);
}

void check_outside_of_session() {
  dart_global_unit_t me;
  dart_team_unit_t team_me;
  size_t n = 7;
  dart_gptr_t gptr;
  int value = 0;
  CHECK(dart_myid(&me) == DART_ERR_NOTINIT);
  CHECK(me.id == DART_UNDEFINED_UNIT_ID);
  CHECK(dart_size(&n) == DART_ERR_NOTINIT);
  CHECK(dart_team_myid(DART_TEAM_ALL, &team_me) == DART_ERR_NOTINIT);
  CHECK(dart_barrier(DART_TEAM_ALL) == DART_ERR_NOTINIT);
  CHECK(dart_memalloc(1, DART_TYPE_INT, &gptr) == DART_ERR_NOTINIT);
  CHECK(DART_GPTR_ISNULL(gptr));
  CHECK(dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_INT, &gptr) == DART_ERR_NOTINIT);
  CHECK(dart_get_blocking(&value, gptr, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_ERR_NOTINIT);
  CHECK(dart_flush(gptr) == DART_ERR_NOTINIT);
  CHECK(dart_progress() == DART_ERR_NOTINIT);
  CHECK(dart_exit() == DART_ERR_OTHER);
  CHECK(std::strlen(dart_last_error()) > 0);
}

void wrong_settings() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // On one unit only: the others must not wait for it.
  if (rank == 0) setenv("DART_POLL_INTERVAL_US", "often", 1);
  CHECK(dart_init(nullptr, nullptr) == DART_ERR_INVAL);
  CHECK(!dart_initialized());
  if (rank == 0) {
    CHECK(std::strstr(dart_last_error(), "DART_POLL_INTERVAL_US") != nullptr);
    CHECK(std::strstr(dart_last_error(), "often") != nullptr);
    unsetenv("DART_POLL_INTERVAL_US");
  }
}

/// Different values of DART_NODE_UNITS are an error on all units.
void different_node_units() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* const before = std::getenv("DART_NODE_UNITS");
  const std::string node_units = before != nullptr ? before : "0";
  if (rank == 0) setenv("DART_NODE_UNITS", "5", 1);
  CHECK(dart_init(nullptr, nullptr) == DART_ERR_INVAL);
  CHECK(!dart_initialized());
  // The nodes have the largest value. Units with another one report it.
  const std::string expected = rank == 0 ? "another unit"
                                         : "DART_NODE_UNITS is " + node_units + " on unit " +
                                               std::to_string(rank) +
                                               ", but the nodes were divided with 5;";
  CHECK(std::strstr(dart_last_error(), expected.c_str()) != nullptr);
  if (rank == 0) setenv("DART_NODE_UNITS", node_units.c_str(), 1);
}

/// Another value of DART_HEAP_REGISTER than at the first dart_init is an error.
void different_heap_register() {
  const char* const before = std::getenv("DART_HEAP_REGISTER");
  const std::string value = before != nullptr ? before : "auto";
  setenv("DART_HEAP_REGISTER", value == "whole" ? "slabs" : "whole", 1);
  CHECK(dart_init(nullptr, nullptr) == DART_ERR_INVAL);
  CHECK(!dart_initialized());
  const std::string expected = ", but the heaps are registered with " + value + ";";
  CHECK(std::strstr(dart_last_error(), expected.c_str()) != nullptr);
  setenv("DART_HEAP_REGISTER", value.c_str(), 1);
}

/// Units of a node share memory. The nodes are those of MPI, or DART_NODE_UNITS consecutive units
/// each if that is not 0.
void check_nodes() {
  const char* const text = std::getenv("DART_NODE_UNITS");
  const int node_units = text != nullptr ? std::atoi(text) : 0;
  const std::vector<dash::dart::UnitPlacement> units = dash::dart::unit_placements();
  const int n = static_cast<int>(units.size());
  const char* const hosts = std::getenv("DASH_TEST_HOSTS");
  CHECK(dash::dart::placement().hosts == (hosts != nullptr ? std::atoi(hosts) : 1));
  if (node_units != 0) CHECK(dash::dart::placement().nodes == (n + node_units - 1) / node_units);
  dart_gptr_t gptr;
  CHECK(dart_team_memalloc_aligned(DART_TEAM_ALL, 8, DART_TYPE_INT, &gptr) == DART_OK);
  dart_global_unit_t me;
  CHECK(dart_myid(&me) == DART_OK);
  for (gptr.unitid = 0; gptr.unitid < n; ++gptr.unitid) {
    const int node = units[static_cast<std::size_t>(gptr.unitid)].node;
    CHECK(node_units == 0 || node == gptr.unitid / node_units);
    const bool is_on_my_node = node == units[static_cast<std::size_t>(me.id)].node;
    CHECK((dash::dart::on_node_address(gptr, 1) != nullptr) == is_on_my_node);
  }
  gptr.unitid = 0;
  CHECK(dart_team_memfree(gptr) == DART_OK);
}

/// The thread level to request from MPI. The environment gives the number of units before MPI_Init.
int requested_level() {
  const char* size = std::getenv("PMI_SIZE");
  const char* mode = std::getenv("DART_PROGRESS");
  const int units = size != nullptr ? std::atoi(size) : 1;
  const bool poll = mode != nullptr && std::strcmp(mode, "poll") == 0;
  if (units == 3) return MPI_THREAD_FUNNELED;
  if (poll && units == 2) return MPI_THREAD_SINGLE;
  if (poll && units == 4) return MPI_THREAD_SERIALIZED;
  return MPI_THREAD_MULTIPLE;
}

}  // namespace

int main(int argc, char** argv) {
  // The runtime supports every thread level; the level requested here depends on the number of units.
  int rank = 0;
  int units = 0;
  int level = 0;
  const int requested = requested_level();
  MPI_Init_thread(&argc, &argv, requested, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &units);

  check_outside_of_session();
  wrong_settings();
  if (units > 1) different_node_units();
  one_cycle(0);
  check_outside_of_session();
  different_heap_register();
  dart_thread_support_level_t provided = DART_THREAD_SINGLE;
  CHECK(dart_init_thread(&argc, &argv, &provided) == DART_OK);
  CHECK((provided == DART_THREAD_MULTIPLE) == (level == MPI_THREAD_MULTIPLE));
  CHECK(dart_init(nullptr, nullptr) == DART_ERR_OTHER);
  check_nodes();
  if (rank == 0 && dash::dart::placement().nodes > 1)
    std::printf(
        "skipped: different roots of a broadcast, which are compared on a single node only\n");
  CHECK(dart_exit() == DART_OK);
  if (level != MPI_THREAD_MULTIPLE) {
    const char* before = std::getenv("DART_PROGRESS");
    const std::string mode = before != nullptr ? before : "auto";
    setenv("DART_PROGRESS", "thread", 1);
    CHECK(dart_init(nullptr, nullptr) == DART_ERR_INVAL);
    CHECK(std::strstr(dart_last_error(), "MPI_THREAD_MULTIPLE") != nullptr);
    setenv("DART_PROGRESS", mode.c_str(), 1);
  }

  for (int round = 1; round <= 5; ++round)
    one_cycle(round);
  const Resources before = resources();
  for (int round = 6; round <= 105; ++round)
    one_cycle(round);
  Resources after = resources();
  // /proc may still list a thread shortly after it was joined.
  for (int attempt = 0; attempt < 600 && !after.equals(before); ++attempt) {
    usleep(100'000);
    after = resources();
  }
  if (!after.equals(before)) {
    std::fprintf(stderr, "unit %d: descriptors %ld -> %ld, maps %ld -> %ld, threads %ld -> %ld\n",
                 rank, before.descriptors, after.descriptors, before.maps, after.maps,
                 before.threads, after.threads);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  if (rank == 0) std::printf("100 cycles on %d units: 1 passed, 0 failed\n", units);
  return 0;
}
