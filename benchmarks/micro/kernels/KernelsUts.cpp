// dash-bench: serial quick=node starts=uts,uts_mpi
//
// Unbalanced tree search with work stealing, compared with MPI baselines. Starts the programs `uts` and `uts_mpi` of
// the same folder.

#include "support/KernelRows.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

void measure(ComparisonSet& comparisons) {
  add_kernel_rows(comparisons, "uts, geometric", "T1", "uts", {"--tree", "T1", "--repeat", "3"});
  if (sampling() == Sampling::quick) return;
  add_kernel_rows(comparisons, "uts, binomial", "T3", "uts", {"--tree", "T3", "--repeat", "3"});
  add_scaling_rows(comparisons, "uts, geometric, T1", "uts", {"--tree", "T1", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_comparisons("bench_kernels_uts", measure);
}
