// dash-bench: serial quick=node starts=spmv,spmv_mpi
//
// Products of a sparse matrix and a vector, compared with MPI baselines. Starts the programs `spmv` and
// `spmv_mpi` of the same folder.

#include "support/KernelRows.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

void measure(ComparisonSet& comparisons) {
  add_kernel_rows(comparisons, "SpMV, ranges", "32 x 32 x 32", "spmv",
                  {"-g", "32,32,32", "--products", "500", "--repeat", "5"});
  if (sampling() == Sampling::quick) return;
  add_kernel_rows(comparisons, "SpMV, lists", "64 x 64 x 64", "spmv",
                  {"-g", "64,64,64", "--products", "50", "--fetch", "lists", "--repeat", "5"});
  add_kernel_rows(comparisons, "SpMV, blocks of 4", "32 x 32 x 32", "spmv",
                  {"-g", "32,32,32", "--block", "4", "--products", "50", "--repeat", "5"});
  // There is no two-sided baseline for fetching single elements.
  add_kernel_rows(comparisons, "SpMV, elements", "32 x 32 x 32", "spmv",
                  {"-g", "32,32,32", "--products", "100", "--fetch", "elements", "--repeat", "5"},
                  true, {"rma", "shared"});
  add_scaling_rows(comparisons, "SpMV, ranges, 64 x 64 x 64", "spmv",
                   {"-g", "64,64,64", "--products", "50", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_comparisons("bench_kernels_spmv", measure);
}
