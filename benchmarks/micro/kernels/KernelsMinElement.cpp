// dash-bench: serial quick=node starts=min_element,min_element_mpi
//
// min_element over array sizes: ours beside a plain loop that only reads the elements, and beside the
// same by MPI alone. Starts the programs `min_element` and `min_element_mpi` that stand next to this
// one. The curve as a whole is in bench_algorithms_min_element.

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/Effort.h"
#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

/// Calls that read about a gigabyte, and not too many of small arrays.
ProgramRun search(int log2) {
  const long calls = std::clamp(1L << 28 >> log2, 2L, 2000L);
  return kernel_run("min_element", {"--elements", fmt::format("{}", log2), "--calls",
                                    fmt::format("{}", calls), "--repeat", "5"});
}

std::string size_of_search(int log2) {
  return fmt::format("2^{} ints", log2);
}

void against_reading(Contests& contests, const std::string& what, const ProgramRun& ours,
                     int log2) {
  ProgramRun reading = ours;
  reading.arguments.emplace_back("--read");
  contests.run([&](Table& table) {
    const ProgramContest contest(ours, {{"plain read loop", reading}});
    table.add(contest.total_row(what, size_of_search(log2), speed_at_least(0.95)));
  });
}

/// Of small arrays mostly what it costs that units agree.
void against_twins(Contests& contests, int log2) {
  const ProgramRun ours = search(log2);
  contests.run([&](Table& table) {
    const ProgramContest on_node(ours, twins_by_mpi(ours, {"two-sided", "rma", "shared"}));
    on_node.add_total_rows(table, "min_element", size_of_search(log2), {});
  });
  const ProgramRun far = between_nodes(ours);
  contests.run([&](Table& table) {
    const ProgramContest nolocal(far, twins_by_mpi(far, {"two-sided", "rma"}));
    nolocal.add_total_rows(table, "min_element, nolocal", size_of_search(log2),
                           speed_at_least(0.97));
  });
}

void measure(Contests& contests) {
  against_reading(contests, "min_element", search(27), 27);
  if (effort() == Effort::quick) return;
  against_reading(contests, "min_element", search(24), 24);
  against_reading(contests, "min_element, nolocal", between_nodes(search(27)), 27);
  for (const int log2 : {10, 16, 22, 27})
    against_twins(contests, log2);
  add_scaling_rows(contests, "min_element, 2^24 ints", "min_element",
                   {"--elements", "24", "--calls", "20", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_contests("bench_kernels_min_element", measure);
}
