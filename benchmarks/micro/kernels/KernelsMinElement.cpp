// dash-bench: serial quick=node starts=min_element,min_element_mpi
//
// min_element over array sizes, compared with a plain loop that only reads the elements, and with MPI
// baselines. Starts the programs `min_element` and `min_element_mpi` of the same folder.
// bench_algorithms_min_element measures the whole curve.

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/KernelRows.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

/// Makes as many calls as read about a gigabyte, but at most 2000.
ProgramRun search_run(int log2) {
  const long calls = std::clamp(1L << 28 >> log2, 2L, 2000L);
  return make_kernel_run("min_element", {"--elements", fmt::format("{}", log2), "--calls",
                                         fmt::format("{}", calls), "--repeat", "5"});
}

std::string size_of_search(int log2) {
  return fmt::format("2^{} ints", log2);
}

void compare_with_reading(ComparisonSet& comparisons, const std::string& name,
                          const ProgramRun& ours, int log2) {
  ProgramRun reading = ours;
  reading.arguments.emplace_back("--read");
  comparisons.run([&](Table& table) {
    const ProgramComparison comparison(ours, {{"plain read loop", reading}});
    table.add(comparison.total_row(name, size_of_search(log2), speed_at_least(0.95)));
  });
}

/// For small arrays, this mostly measures the communication between the units.
void compare_with_baselines(ComparisonSet& comparisons, int log2) {
  const ProgramRun ours = search_run(log2);
  comparisons.run([&](Table& table) {
    const ProgramComparison on_node(ours, mpi_baselines(ours, {"two-sided", "rma", "shared"}));
    on_node.add_total_rows(table, "min_element", size_of_search(log2), {});
  });
  const ProgramRun separate = on_separate_nodes(ours);
  comparisons.run([&](Table& table) {
    const ProgramComparison between_nodes(separate, mpi_baselines(separate, {"two-sided", "rma"}));
    between_nodes.add_total_rows(table, "min_element, nolocal", size_of_search(log2),
                                 speed_at_least(0.97));
  });
}

void measure(ComparisonSet& comparisons) {
  compare_with_reading(comparisons, "min_element", search_run(27), 27);
  if (sampling() == Sampling::quick) return;
  compare_with_reading(comparisons, "min_element", search_run(24), 24);
  compare_with_reading(comparisons, "min_element, nolocal", on_separate_nodes(search_run(27)), 27);
  for (const int log2 : {10, 16, 22, 27})
    compare_with_baselines(comparisons, log2);
  add_scaling_rows(comparisons, "min_element, 2^24 ints", "min_element",
                   {"--elements", "24", "--calls", "20", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_comparisons("bench_kernels_min_element", measure);
}
