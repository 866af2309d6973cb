// dash-bench: serial quick=node starts=stencil,stencil_mpi
//
// The five-point stencil of floats, compared with MPI baselines. Starts the programs `stencil` and
// `stencil_mpi` of the same folder.

#include "support/KernelRows.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

/// The programs compute a residual after each sweep. From the first sweep on, cells depend on those of the
/// other unit.
void measure(ComparisonSet& comparisons) {
  add_kernel_rows(
      comparisons, "stencil, Jacobi", "1024 x 1024", "stencil",
      {"--rows", "1024", "--cols", "1024", "--start", "rough", "--sweeps", "300", "--repeat", "5"});
  if (sampling() == Sampling::quick) return;
  add_kernel_rows(comparisons, "stencil, red-black", "512 x 512", "stencil",
                  {"--rows", "512", "--cols", "512", "--method", "red-black", "--start", "rough",
                   "--sweeps", "500", "--repeat", "5"});
  // A sweep starts only after the residual of the previous one is known.
  add_kernel_rows(comparisons, "stencil, red-black to a tolerance", "512 x 512", "stencil",
                  {"--rows", "512", "--cols", "512", "--method", "red-black", "--start", "rough",
                   "--sweeps", "500", "--tolerance", "1e-6", "--repeat", "5"});
  add_scaling_rows(
      comparisons, "stencil, Jacobi, 1024 x 1024", "stencil",
      {"--rows", "1024", "--cols", "1024", "--start", "rough", "--sweeps", "100", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_comparisons("bench_kernels_stencil", measure);
}
