// dash-bench: serial quick=node starts=spmv,spmv_mpi
//
// Products of a sparse matrix and a vector: ours beside the same computation by MPI alone. Starts the
// programs `spmv` and `spmv_mpi` that stand next to this one.

#include "support/Effort.h"
#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

void measure(Contests& contests) {
  add_kernel_rows(contests, "SpMV, ranges", "32 x 32 x 32", "spmv",
                  {"-g", "32,32,32", "--products", "500", "--repeat", "5"});
  if (effort() == Effort::quick) return;
  add_kernel_rows(contests, "SpMV, lists", "64 x 64 x 64", "spmv",
                  {"-g", "64,64,64", "--products", "50", "--fetch", "lists", "--repeat", "5"});
  add_kernel_rows(contests, "SpMV, blocks of 4", "32 x 32 x 32", "spmv",
                  {"-g", "32,32,32", "--block", "4", "--products", "50", "--repeat", "5"});
  // Nobody fetches single elements by messages.
  add_kernel_rows(contests, "SpMV, elements", "32 x 32 x 32", "spmv",
                  {"-g", "32,32,32", "--products", "100", "--fetch", "elements", "--repeat", "5"},
                  true, {"rma", "shared"});
  add_scaling_rows(contests, "SpMV, ranges, 64 x 64 x 64", "spmv",
                   {"-g", "64,64,64", "--products", "50", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_contests("bench_kernels_spmv", measure);
}
