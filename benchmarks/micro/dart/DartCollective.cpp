// dash-bench: units=2,8 layouts=node quick=node
//
// Collectives, allocation and teams on one node, against what they stand on: futexes in shared
// memory, and MPI.

#include <fmt/core.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <stdexcept>
#include <vector>

#include "support/Contest.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

/// What a sample should take.
constexpr double sample_ns = 1e6;

/// The least that a barrier which sleeps can do: the last unit to arrive starts a new generation
/// and wakes the others. Lies in shared memory, zeroed.
struct FutexBarrier {
  alignas(64) std::atomic<std::uint32_t> arrived;
  alignas(64) std::atomic<std::uint32_t> generation;

  void wait(std::uint32_t units) {
    const std::uint32_t mine = generation.load(std::memory_order_acquire);
    if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == units) {
      arrived.store(0, std::memory_order_relaxed);
      generation.store(mine + 1, std::memory_order_release);
      futex(FUTEX_WAKE, INT_MAX);
      return;
    }
    while (generation.load(std::memory_order_acquire) == mine)
      futex(FUTEX_WAIT, mine);
  }

 private:
  void futex(int operation, std::uint32_t value) {
    syscall(SYS_futex, &generation, operation, value, nullptr, nullptr, 0);
  }
};

/// All units do it; so many times that a sample takes as long as it should.
template <class Action>
Contestant contestant(Action action) {
  action();
  const double once = time_each(5, [&](long) { action(); });
  const long repetitions = from_first_unit(repetitions_within(sample_ns, once));
  return [=] { return time_each(repetitions, [&](long) { action(); }); };
}

void compare_collectives(const World& world, Table& table) {
  const GlobalMemory memory(sizeof(FutexBarrier));
  auto* const bare = reinterpret_cast<FutexBarrier*>(memory.address(0));
  const auto units = static_cast<std::uint32_t>(world.units());
  const std::string size = fmt::format("{} units", units);
  const Contestant futex = contestant([=] { bare->wait(units); });
  const auto barrier = contestant([] { dart_barrier(DART_TEAM_ALL); });
  const auto mpi_barrier = contestant([] { MPI_Barrier(MPI_COMM_WORLD); });
  const auto sum = contestant([] {
    double value = 1;
    check(dart_allreduce(&value, &value, 1, DART_TYPE_DOUBLE, DART_OP_SUM, DART_TEAM_ALL));
    keep(value);
  });
  const auto mpi_sum = contestant([] {
    double value = 1;
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    keep(value);
  });
  // Each bar where it is hard: waking sleepers if processors are short, not sleeping if not.
  const bool crowded = world.is_crowded();
  const auto of_mpi = crowded ? Bar{} : ratio_at_most(1);
  table.add(row_of("barrier", size, "bare futex barrier", contest(barrier, futex),
                   crowded ? ratio_at_most(2) : Bar{}));
  table.add(row_of("barrier", size, "MPI_Barrier", contest(barrier, mpi_barrier), of_mpi));
  table.add(row_of("allreduce 8 B", size, "bare futex barrier", contest(sum, futex),
                   crowded ? ratio_at_most(3) : Bar{}));
  table.add(row_of("allreduce 8 B", size, "MPI_Allreduce", contest(sum, mpi_sum), of_mpi));
  constexpr std::size_t elements = std::size_t{1} << 17;
  static std::vector<double> values(elements, 1.0);
  const auto large = contestant([] {
    check(dart_allreduce(values.data(), values.data(), elements, DART_TYPE_DOUBLE, DART_OP_MAX,
                         DART_TEAM_ALL));
  });
  const auto mpi_large = contestant([] {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(elements), MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
  });
  table.add(row_of("allreduce 1 MiB", size, "MPI_Allreduce", contest(large, mpi_large)));
}

/// Times that are asked for in microseconds; the twin is a barrier, which says how fast units meet.
void compare_allocation(const World& world, Table& table) {
  const std::string size = fmt::format("{} units", world.units());
  const auto barrier = contestant([] { dart_barrier(DART_TEAM_ALL); });
  const auto bar = [&](double us) { return world.is_crowded() ? Bar{} : us_at_most(us); };
  const auto allocate = contestant([] {
    dart_gptr_t gptr;
    check(dart_team_memalloc_aligned(DART_TEAM_ALL, 1 << 20, DART_TYPE_BYTE, &gptr));
    check(dart_team_memfree(gptr));
  });
  table.add(
      row_of("allocate and free 1 MiB", size, "dart_barrier", contest(allocate, barrier), bar(20)));
  const auto team = contestant([] {
    dart_team_t clone = DART_TEAM_NULL;
    check(dart_team_clone(DART_TEAM_ALL, &clone));
    check(dart_team_destroy(&clone));
  });
  table.add(
      row_of("create and destroy a team", size, "dart_barrier", contest(team, barrier), bar(50)));
  const auto communicator = contestant([] {
    MPI_Comm clone = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &clone);
    MPI_Comm_free(&clone);
  });
  table.add(row_of("create and destroy a team", size, "MPI_Comm_dup, _free",
                   contest(team, communicator)));
}

void measure(const World& world) {
  if (!world.on_one_node()) throw std::runtime_error("needs all units on one node");
  Table table;
  compare_collectives(world, table);
  compare_allocation(world, table);
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
