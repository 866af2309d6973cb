// dash-bench: serial quick=node starts=histogram,histogram_mpi
//
// A distributed histogram of the keys of NAS IS, compared with MPI baselines. Starts the programs
// `histogram` and `histogram_mpi` of the same folder.

#include "support/KernelRows.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

void measure(ComparisonSet& comparisons) {
  add_kernel_rows(comparisons, "histogram", "class W", "histogram",
                  {"--class", "W", "--repeat", "9"});
  if (sampling() == Sampling::quick) return;
  add_kernel_rows(comparisons, "histogram", "class A", "histogram",
                  {"--class", "A", "--repeat", "3"});
  // There is no two-sided baseline for accumulating into another process's memory.
  const std::vector<std::string> one_sided{"rma", "shared"};
  add_kernel_rows(comparisons, "histogram, accumulated counts", "class W", "histogram",
                  {"--class", "W", "--by", "accumulate", "--repeat", "9"}, true, one_sided);
  add_kernel_rows(comparisons, "histogram, accumulated keys", "class S", "histogram",
                  {"--class", "S", "--by", "keys", "--repeat", "5"}, true, one_sided);
  add_scaling_rows(comparisons, "histogram, class W", "histogram",
                   {"--class", "W", "--repeat", "5"});
}

}  // namespace

int main() {
  return run_comparisons("bench_kernels_histogram", measure);
}
