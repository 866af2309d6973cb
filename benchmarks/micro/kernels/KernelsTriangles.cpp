// dash-bench: serial quick=node starts=triangles,triangles_mpi
//
// Triangle counting, compared with MPI baselines. Starts the programs `triangles` and `triangles_mpi` of
// the same folder.

#include "support/KernelRows.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

void measure(ComparisonSet& comparisons) {
  add_kernel_rows(comparisons, "triangles, by id", "scale 14", "triangles",
                  {"-s", "14", "--repeat", "5"});
  if (sampling() == Sampling::quick) return;
  add_kernel_rows(comparisons, "triangles, by id", "scale 15", "triangles",
                  {"-s", "15", "--repeat", "5"});
  add_kernel_rows(comparisons, "triangles, by degree", "scale 15", "triangles",
                  {"-s", "15", "--order", "degree", "--repeat", "5"});
  // There is no two-sided baseline: it has no shared counter.
  add_kernel_rows(comparisons, "triangles, chunks of 64", "scale 15", "triangles",
                  {"-s", "15", "--order", "degree", "--chunk", "64", "--repeat", "5"}, true,
                  {"rma", "shared"});
  add_scaling_rows(comparisons, "triangles, by id, scale 14", "triangles",
                   {"-s", "14", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_comparisons("bench_kernels_triangles", measure);
}
