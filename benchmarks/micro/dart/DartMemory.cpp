// dash-bench: units=2,64 layouts=node
//
// The memory that the runtime takes in each unit, in addition to MPI's own, and the latency of an access
// with many live segments. The program initializes MPI itself, so that the measurement does not include
// MPI's memory.

#include <fmt/core.h>
#include <mpi.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "support/Comparison.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int num_segments = 10'000;
constexpr double sample_ns = 2e5;

/// \returns the resident memory of this process in KiB: anonymous, file-backed and shared
long resident_kib() {
  long total = 0;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    long kib = 0;
    if ((word == "RssAnon:" || word == "RssFile:" || word == "RssShmem:") && status >> kib) {
      total += kib;
    }
  }
  return total;
}

/// Uses the features that allocate memory at their first use.
void use_runtime(const World& world) {
  const GlobalMemory memory(sizeof(double));
  double value = 1;
  check(dart_allreduce(&value, &value, 1, DART_TYPE_DOUBLE, DART_OP_SUM, DART_TEAM_ALL));
  for (int unit = 0; unit < world.units(); ++unit) {
    check(dart_put_blocking(memory.at(unit), &value, 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE));
  }
  check(dart_barrier(DART_TEAM_ALL));
}

void compare_memory(const World& world, long before, Table& table) {
  use_runtime(world);
  long kib = resident_kib() - before;
  check(dart_allreduce(&kib, &kib, 1, DART_TYPE_LONG, DART_OP_MAX, DART_TEAM_ALL));
  const long allowed = 4 * 1024 + 4 * world.units();
  const std::string limit = fmt::format("{} KiB", allowed);
  table.add(with_figures(
      {"memory of the runtime, maximum over units", fmt::format("{} units", world.units()),
       fmt::format("{} KiB", kib), "4 MiB + 4 KiB per unit", limit,
       fmt::format("{:.3g}", static_cast<double>(kib) / static_cast<double>(allowed)),
       "<= " + limit, kib <= allowed},
      {{static_cast<double>(kib)}, {static_cast<double>(allowed)}, {}, "KiB"}));
}

/// Puts to the targets cyclically.
Candidate puts(const std::vector<dart_gptr_t>& targets) {
  return [&targets] {
    return measure_on_first_unit(PeerWait::dart_barrier, [&targets] {
      const double value = 1;
      const long repetitions = repetitions_within(sample_ns, 10);
      std::size_t next = 0;
      return measure_ns_per_call(repetitions, [&](long) {
        dart_put_blocking(targets[next], &value, 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE);
        next = next + 1 == targets.size() ? 0 : next + 1;
      });
    });
  };
}

std::vector<dart_gptr_t> allocate(int count, const World& world) {
  std::vector<dart_gptr_t> segments(static_cast<std::size_t>(count));
  for (dart_gptr_t& gptr : segments) {
    check(dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_DOUBLE, &gptr));
    gptr.unitid = world.units() - 1;
  }
  return segments;
}

void release(const std::vector<dart_gptr_t>& segments) {
  check(dart_barrier(DART_TEAM_ALL));
  for (const dart_gptr_t& gptr : segments)
    check(dart_team_memfree(gptr));
}

/// The other segments are allocated and freed for each median.
void compare_one_segment(const World& world, Table& table) {
  const std::vector<dart_gptr_t> one = allocate(1, world);
  const Candidate single = puts(one);
  Samples among_many;
  Samples single_first;
  Samples single_repeated;
  for (int i = 0; i < 21; ++i) {
    const std::vector<Samples> without = interleave(5, {single, single});
    single_first.push_back(median(without[0]));
    single_repeated.push_back(median(without[1]));
    const std::vector<dart_gptr_t> many = allocate(num_segments, world);
    among_many.push_back(median(interleave(5, {single})[0]));
    release(many);
  }
  table.add(make_row("blocking put with 10,000 live segments", "8 B", "with one segment",
                     compare_samples(among_many, single_first, single_repeated),
                     ratio_at_most(1.1)));
  release(one);
}

void compare_all_segments(const World& world, Table& table) {
  const std::vector<dart_gptr_t> many = allocate(num_segments, world);
  // Each put accesses another page. The baseline shows the cost of that in the memory system.
  std::vector<double*> addresses;
  for (const dart_gptr_t& gptr : many) {
    dart_gptr_t own = gptr;
    own.unitid = world.unit();
    void* address = nullptr;
    check(dart_gptr_getaddr(own, &address));
    addresses.push_back(static_cast<double*>(address));
  }
  const Candidate stores = [&addresses] {
    return measure_on_first_unit(PeerWait::dart_barrier, [&addresses] {
      std::size_t next = 0;
      return measure_ns_per_call(repetitions_within(sample_ns, 10), [&](long) {
        *static_cast<volatile double*>(addresses[next]) = 1;
        next = next + 1 == addresses.size() ? 0 : next + 1;
      });
    });
  };
  table.add(make_row("blocking put 8 B to 10,000 segments, cyclically", "8 B",
                     "plain stores to separate pages", compare(puts(many), stores)));
  release(many);
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Barrier(MPI_COMM_WORLD);
  const long before = resident_kib();
  const int code = run_program(argc, argv, [=](const World& world) {
    Table table;
    compare_memory(world, before, table);
    if (!world.is_oversubscribed()) {
      compare_one_segment(world, table);
      compare_all_segments(world, table);
    }
    if (world.is_first_unit()) table.print();
  });
  MPI_Finalize();
  return code;
}
