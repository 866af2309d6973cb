// dash-bench: serial quick=node starts=scf,scf_mpi
//
// The task loop of self-consistent-field programs, compared with MPI baselines. Starts the programs `scf`
// and `scf_mpi` of the same folder.

#include "support/KernelRows.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

void measure(ComparisonSet& comparisons) {
  // The loop as specified: get, compute, accumulate, fetch the next task number from the counter.
  add_kernel_rows(comparisons, "SCF, accumulate per task", "96, blocks of 16", "scf",
                  {"--accumulate", "task", "--repeat", "7"});
  if (sampling() == Sampling::quick) return;
  add_kernel_rows(comparisons, "SCF, accumulate per task", "96, blocks of 8", "scf",
                  {"--block", "8", "--accumulate", "task", "--repeat", "5"});
  add_kernel_rows(comparisons, "SCF, accumulate per row", "96, blocks of 16", "scf",
                  {"--repeat", "7"});
  add_kernel_rows(comparisons, "SCF, accumulate per row, static schedule", "96, blocks of 8", "scf",
                  {"--block", "8", "--schedule", "static", "--repeat", "5"});
  add_scaling_rows(comparisons, "SCF, accumulate per task, 96, blocks of 16", "scf",
                   {"--accumulate", "task", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_comparisons("bench_kernels_scf", measure);
}
