// dash-bench: units=2,8 layouts=node
//
// The barrier against a bare one in shared memory that sleeps at once, and against MPI_Barrier.

#include <fmt/core.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <stdexcept>

#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr double allowed_of_futex = 2;
constexpr double allowed_of_mpi = 1;
constexpr int rounds = 41;
/// What a sample should take.
constexpr double sample_ns = 5e6;

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
template <class Barrier>
Contestant contestant(Barrier barrier) {
  barrier();
  const double once = time_each(5, [&](long) { barrier(); });
  const long repetitions = from_first_unit(repetitions_within(sample_ns, once));
  return [=] { return time_each(repetitions, [&](long) { barrier(); }); };
}

void measure(const World& world) {
  if (!world.on_one_node()) throw std::runtime_error("needs all units on one node");
  const GlobalMemory memory(sizeof(FutexBarrier));
  auto* const bare = reinterpret_cast<FutexBarrier*>(memory.address(0));
  const auto units = static_cast<std::uint32_t>(world.units());
  const auto samples = interleave(rounds, {contestant([] { dart_barrier(DART_TEAM_ALL); }),
                                           contestant([=] { bare->wait(units); }),
                                           contestant([] { MPI_Barrier(MPI_COMM_WORLD); })});
  if (!world.leads()) return;

  const std::string ours = duration(median(samples[0]));
  const Spread of_futex = spread(ratios(samples[0], samples[1]));
  const Spread of_mpi = spread(ratios(samples[0], samples[2]));
  const std::string size = fmt::format("{} units", units);
  Row futex{"barrier", size, ours, "bare futex", duration(median(samples[1])), ratio(of_futex)};
  Row mpi{"barrier", size, ours, "MPI_Barrier", duration(median(samples[2])), ratio(of_mpi)};
  // Each bar where it is hard: waking sleepers if processors are short, not sleeping if not.
  if (world.is_crowded()) {
    futex.bar = fmt::format("<= {}", allowed_of_futex);
    futex.met = of_futex.median <= allowed_of_futex;
  } else {
    mpi.bar = fmt::format("<= {}", allowed_of_mpi);
    mpi.met = of_mpi.median <= allowed_of_mpi;
  }
  Table table;
  table.add(futex);
  table.add(mpi);
  table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
