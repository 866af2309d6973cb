// dash-bench: serial quick=node starts=scf,scf_mpi
//
// The task loop of self-consistent-field programs: ours beside the same computation by MPI alone. Starts
// the programs `scf` and `scf_mpi` that stand next to this one.

#include "support/Effort.h"
#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

void measure(Contests& contests) {
  // The loop as it is specified: get, compute, accumulate, the next number of the counter.
  add_kernel_rows(contests, "SCF, each task added", "96, blocks of 16", "scf",
                  {"--accumulate", "task", "--repeat", "7"});
  if (effort() == Effort::quick) return;
  add_kernel_rows(contests, "SCF, each task added", "96, blocks of 8", "scf",
                  {"--block", "8", "--accumulate", "task", "--repeat", "5"});
  add_kernel_rows(contests, "SCF, each row added", "96, blocks of 16", "scf", {"--repeat", "7"});
  add_kernel_rows(contests, "SCF, each row added, tasks in turns", "96, blocks of 8", "scf",
                  {"--block", "8", "--schedule", "static", "--repeat", "5"});
  add_scaling_rows(contests, "SCF, each task added, 96, blocks of 16", "scf",
                   {"--accumulate", "task", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_contests("bench_kernels_scf", measure);
}
