// dash-bench: units=2,4,8 layouts=nolocal
//
// Heaps that are registered in slabs: transfers of memory that lies in no window of MPI, compared with memory
// that lies in one, and the time to create a window, compared with an allocation that needs none.

#include <mpi.h>

#include <cstdlib>
#include <vector>

#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/TimedOperation.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr std::size_t mebi = std::size_t{1} << 20;
constexpr std::size_t largest = 4 * mebi;

/// A segment of the team, for the address of the target's part. Only unit 0 commits pages of all its bytes: the
/// segment has the largest size that a unit requests.
dart_gptr_t allocate(dart_team_t team, std::size_t nbytes) {
  dart_team_unit_t unit;
  check(dart_team_myid(team, &unit));
  dart_gptr_t gptr;
  check(dart_team_memalloc_aligned(team, unit.id == 0 ? nbytes : largest, DART_TYPE_BYTE, &gptr));
  gptr.unitid = target;
  return gptr;
}

void release(dart_team_t team, const dart_gptr_t& gptr) {
  check(dart_barrier(team));
  check(dart_team_memfree(gptr));
}

/// A team of all units other than DART_TEAM_ALL, so that its allocations create no window.
dart_team_t team_of_all_units(const World& world) {
  dart_group_t group = DART_GROUP_NULL;
  check(dart_group_create(&group));
  for (int unit = 0; unit < world.units(); ++unit)
    check(dart_group_addmember(group, unit));
  dart_team_t team = DART_TEAM_NULL;
  check(dart_team_create(DART_TEAM_ALL, group, &team));
  check(dart_group_destroy(&group));
  return team;
}

void compare_transfers(const dart_gptr_t& in_no_window, const dart_gptr_t& in_window,
                       Table& table) {
  static std::vector<char> own(largest, 1);
  for (const std::size_t nbytes :
       {8UL, 512UL, 4096UL, 32UL << 10, 256UL << 10, 1UL << 20, largest}) {
    const auto put_to = [nbytes](const dart_gptr_t& to) {
      return TimedOperation{
          "", PeerWait::dart_barrier,
          [=](long) { dart_put_blocking(to, own.data(), nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE); }};
    };
    const auto get_from = [nbytes](const dart_gptr_t& from) {
      return TimedOperation{"", PeerWait::dart_barrier, [=](long) {
                              dart_get_blocking(own.data(), from, nbytes, DART_TYPE_BYTE,
                                                DART_TYPE_BYTE);
                            }};
    };
    const TimedOperation put = put_to(in_no_window);
    const TimedOperation baseline_put = put_to(in_window);
    table.add(make_row("blocking put, memory in no window", format_size(nbytes), "in a window",
                       compare(make_candidate(put), make_candidate(baseline_put))));
    const TimedOperation get = get_from(in_no_window);
    const TimedOperation baseline_get = get_from(in_window);
    table.add(make_row("blocking get, memory in no window", format_size(nbytes), "in a window",
                       compare(make_candidate(get), make_candidate(baseline_get))));
  }
}

void compare_creation(Table& table) {
  std::vector<char> memory(64 * mebi);
  const Candidate window = [&memory] {
    check(dart_barrier(DART_TEAM_ALL));
    return measure_ns_per_call(1, [&](long) {
      MPI_Win created = MPI_WIN_NULL;
      MPI_Win_create(memory.data(), static_cast<MPI_Aint>(memory.size()), 1, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &created);
      MPI_Win_free(&created);
    });
  };
  const Candidate allocation = [] {
    check(dart_barrier(DART_TEAM_ALL));
    return measure_ns_per_call(1, [](long) {
      dart_gptr_t gptr;
      check(dart_team_memalloc_aligned(DART_TEAM_ALL, 4096, DART_TYPE_BYTE, &gptr));
      check(dart_team_memfree(gptr));
    });
  };
  table.add(make_row("create and free a window", format_size(memory.size()),
                     "allocation in a slab, 4 KiB", compare(window, allocation)));
}

}  // namespace

int main(int argc, char** argv) {
  ::setenv("DART_HEAP_REGISTER", "slabs", 1);
  return run_program(argc, argv, [](const World& world) {
    Table table;
    const dart_team_t team = team_of_all_units(world);
    const dart_gptr_t in_window = allocate(DART_TEAM_ALL, largest);
    const dart_gptr_t in_no_window = allocate(team, 128 * mebi);
    if (!world.is_oversubscribed()) compare_transfers(in_no_window, in_window, table);
    compare_creation(table);
    release(team, in_no_window);
    release(DART_TEAM_ALL, in_window);
    if (world.is_first_unit()) table.print();
  });
}
