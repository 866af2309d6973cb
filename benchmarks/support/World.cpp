#include "support/World.h"

#include <fmt/core.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

#include "dash/Init.h"
#include "dash/dart/Access.h"
#include "support/Machine.h"

namespace dash::bench {

void check(dart_ret_t code) {
  if (code != DART_OK) throw std::runtime_error(dart_last_error());
}

namespace {

/// The processes for which this program measures MPI: all, or without progress processes.
MPI_Comm communicator = MPI_COMM_WORLD;

/// Makes a communicator of the units, because progress processes do not call MPI for the program. That of
/// dart_team_communicator() would let the library poll more often than it does in other programs. \collective
MPI_Comm communicator_of_units() {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> ranks(dash::size());
  if (static_cast<int>(ranks.size()) == size) return MPI_COMM_WORLD;
  check(dart_allgather(&rank, ranks.data(), 1, DART_TYPE_INT, DART_TEAM_ALL));
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group units = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &units);
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Comm_create_group(MPI_COMM_WORLD, units, 0, &result);
  MPI_Group_free(&units);
  MPI_Group_free(&all);
  return result;
}

}  // namespace

World::World(int* argc, char*** argv) {
  dash::init(argc, argv);
  communicator = communicator_of_units();
  _unit = dash::myid().id;
  _units = static_cast<int>(dash::size());
  const Placement placement = find_placement();
  _on_one_node = placement.nodes == 1;
  _is_oversubscribed = _units > placement.processors.count();
}

World::~World() {
  dart_exit();
}

double measure_on_first_unit(PeerWait peer_wait, const std::function<double()>& measure) {
  check(dart_barrier(DART_TEAM_ALL));
  const double result = dash::myid().id == 0 ? measure() : 0;
  if (peer_wait == PeerWait::mpi_barrier) {
    MPI_Barrier(communicator);
  } else {
    check(dart_barrier(DART_TEAM_ALL));
  }
  return result;
}

long broadcast_from_first_unit(long value) {
  check(dart_bcast(&value, 1, DART_TYPE_LONG, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  return value;
}

GlobalMemory::GlobalMemory(std::size_t nbytes_each) : _nbytes(nbytes_each) {
  check(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes_each, DART_TYPE_BYTE, &_begin));
}

GlobalMemory::~GlobalMemory() {
  dart_team_memfree(_begin);
}

dart_gptr_t GlobalMemory::at(int unit) const noexcept {
  dart_gptr_t gptr = _begin;
  dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(unit));
  return gptr;
}

char* GlobalMemory::address(int unit) const noexcept {
  return static_cast<char*>(dart::on_node_address(at(unit), _nbytes));
}

MpiWindow::MpiWindow(std::size_t nbytes_each) : _nbytes(nbytes_each) {
  _memory = ::mmap(nullptr, nbytes_each, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (_memory == MAP_FAILED) throw std::runtime_error("cannot allocate memory for an MPI window");
  MPI_Win_create(_memory, static_cast<MPI_Aint>(nbytes_each), 1, MPI_INFO_NULL, communicator,
                 &_window);
  void* begin = nullptr;
  int found = 0;
  MPI_Win_get_attr(_window, MPI_WIN_BASE, &begin, &found);
  if (found == 0 || begin != _memory) {
    throw std::runtime_error(
        "MPI_Win_create has created a window at another address than the given one");
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, _window);
}

MpiWindow::~MpiWindow() {
  MPI_Win_unlock_all(_window);
  MPI_Win_free(&_window);
  ::munmap(_memory, _nbytes);
}

int run_program(int argc, char** argv, const std::function<void(const World&)>& body) {
  try {
    const World world(&argc, &argv);
    print_machine(world);
    body(world);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    if (dart_initialized()) dart_abort(EXIT_FAILURE);
    return EXIT_FAILURE;
  }
}

}  // namespace dash::bench
