// dash-bench: serial quick=node starts=random_access,random_access_mpi
//
// RandomAccess of HPC Challenge, compared with MPI baselines that make the same updates. Starts the programs
// `random_access` and `random_access_mpi` of the same folder.

#include "support/KernelRows.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

/// Updates of single words. There is no two-sided baseline for them.
void measure_variant(ComparisonSet& comparisons, const std::string& variant) {
  const std::string name = "RandomAccess, " + variant;
  const auto arguments = [&](const char* log2_size) {
    return std::vector<std::string>{"-m", log2_size, "--variant", variant, "--repeat", "5"};
  };
  const ProgramRun ours = make_kernel_run("random_access", arguments("22"));
  comparisons.run([&](Table& table) {
    const ProgramComparison on_node(ours, mpi_baselines(ours, {"shared"}));
    table.add(on_node.total_row(name, "2^22 words", speed_at_least(1.0)));
  });
  // Each update of the RMA baseline takes some tenths of a microsecond.
  const ProgramRun smaller = make_kernel_run("random_access", arguments("20"));
  comparisons.run([&](Table& table) {
    const ProgramComparison with_rma(smaller, mpi_baselines(smaller, {"rma"}));
    table.add(with_rma.communication_row(name, "2^20 words", "rma", ratio_at_most(0.5)));
  });
  const ProgramRun separate = on_separate_nodes(smaller);
  comparisons.run([&](Table& table) {
    const ProgramComparison between_nodes(separate, mpi_baselines(separate, {"rma"}));
    table.add(between_nodes.total_row(name + ", nolocal", "2^20 words", speed_at_least(0.97)));
  });
}

void measure(ComparisonSet& comparisons) {
  add_kernel_rows(comparisons, "RandomAccess, bucketed", "2^22 words", "random_access",
                  {"-m", "22", "--variant", "bucketed", "--repeat", "5"});
  if (sampling() == Sampling::quick) return;
  measure_variant(comparisons, "atomic");
  measure_variant(comparisons, "get-put");
  add_scaling_rows(comparisons, "RandomAccess, bucketed, 2^20 words", "random_access",
                   {"-m", "20", "--variant", "bucketed", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_comparisons("bench_kernels_random_access", measure);
}
