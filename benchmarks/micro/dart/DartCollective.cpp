// dash-bench: units=2,8 layouts=node quick=node
//
// Collective operations, allocation and teams on one node, compared with their building blocks: futexes in
// shared memory, and MPI.

#include <fmt/core.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <stdexcept>
#include <vector>

#include "support/Comparison.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

/// The intended duration of a sample.
constexpr double sample_ns = 1e6;

/// The minimal barrier with sleeping units: the last unit to arrive starts a new generation and wakes the
/// others. Must be in shared memory that is initialized to zero.
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

/// Makes a candidate of an action of all units. The number of repetitions makes a sample take `sample_ns`.
template <class Action>
Candidate make_candidate(Action action) {
  action();
  const double each_ns = measure_ns_per_call(5, [&](long) { action(); });
  const long repetitions = broadcast_from_first_unit(repetitions_within(sample_ns, each_ns));
  return [=] { return measure_ns_per_call(repetitions, [&](long) { action(); }); };
}

void compare_collectives(const World& world, Table& table) {
  const GlobalMemory memory(sizeof(FutexBarrier));
  auto* const futex_barrier = reinterpret_cast<FutexBarrier*>(memory.address(0));
  const auto units = static_cast<std::uint32_t>(world.units());
  const std::string size = fmt::format("{} units", units);
  const Candidate futex = make_candidate([=] { futex_barrier->wait(units); });
  const auto barrier = make_candidate([] { dart_barrier(DART_TEAM_ALL); });
  const auto mpi_barrier = make_candidate([] { MPI_Barrier(MPI_COMM_WORLD); });
  const auto sum = make_candidate([] {
    double value = 1;
    check(dart_allreduce(&value, &value, 1, DART_TYPE_DOUBLE, DART_OP_SUM, DART_TEAM_ALL));
    do_not_optimize(value);
  });
  const auto mpi_sum = make_candidate([] {
    double value = 1;
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    do_not_optimize(value);
  });
  // Each goal applies where it is hard to meet: waking sleeping units if the node is oversubscribed,
  // otherwise not sleeping at all.
  const bool oversubscribed = world.is_oversubscribed();
  const auto mpi_goal = oversubscribed ? Goal{} : ratio_at_most(1);
  table.add(make_row("barrier", size, "plain futex barrier", compare(barrier, futex),
                     oversubscribed ? ratio_at_most(2) : Goal{}));
  table.add(make_row("barrier", size, "MPI_Barrier", compare(barrier, mpi_barrier), mpi_goal));
  table.add(make_row("allreduce 8 B", size, "plain futex barrier", compare(sum, futex),
                     oversubscribed ? ratio_at_most(3) : Goal{}));
  table.add(make_row("allreduce 8 B", size, "MPI_Allreduce", compare(sum, mpi_sum), mpi_goal));
  constexpr std::size_t elements = std::size_t{1} << 17;
  static std::vector<double> values(elements, 1.0);
  const auto large = make_candidate([] {
    check(dart_allreduce(values.data(), values.data(), elements, DART_TYPE_DOUBLE, DART_OP_MAX,
                         DART_TEAM_ALL));
  });
  const auto mpi_large = make_candidate([] {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(elements), MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
  });
  table.add(make_row("allreduce 1 MiB", size, "MPI_Allreduce", compare(large, mpi_large)));
}

/// Operations with goals in microseconds. The baseline is a barrier, which shows how fast the units
/// synchronize.
void compare_allocation(const World& world, Table& table) {
  const std::string size = fmt::format("{} units", world.units());
  const auto barrier = make_candidate([] { dart_barrier(DART_TEAM_ALL); });
  const auto goal = [&](double us) {
    return world.is_oversubscribed() ? Goal{} : time_at_most_us(us);
  };
  const auto allocate = make_candidate([] {
    dart_gptr_t gptr;
    check(dart_team_memalloc_aligned(DART_TEAM_ALL, 1 << 20, DART_TYPE_BYTE, &gptr));
    check(dart_team_memfree(gptr));
  });
  table.add(make_row("allocate and free 1 MiB", size, "dart_barrier", compare(allocate, barrier),
                     goal(20)));
  const auto team = make_candidate([] {
    dart_team_t clone = DART_TEAM_NULL;
    check(dart_team_clone(DART_TEAM_ALL, &clone));
    check(dart_team_destroy(&clone));
  });
  table.add(make_row("create and destroy a team", size, "dart_barrier", compare(team, barrier),
                     goal(50)));
  const auto communicator = make_candidate([] {
    MPI_Comm clone = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &clone);
    MPI_Comm_free(&clone);
  });
  table.add(make_row("create and destroy a team", size, "MPI_Comm_dup, _free",
                     compare(team, communicator), ratio_at_most(3)));
}

void measure(const World& world) {
  if (!world.on_one_node()) throw std::runtime_error("this benchmark needs all units on one node");
  Table table;
  compare_collectives(world, table);
  compare_allocation(world, table);
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
