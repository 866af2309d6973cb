// dash-bench: serial quick=node starts=stencil,stencil_mpi
//
// The five-point stencil of floats: ours beside the same computation by MPI alone. Starts the programs
// `stencil` and `stencil_mpi` that stand next to this one.

#include "support/Effort.h"
#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

/// A residual after each sweep; from the first one on cells depend on those of the other unit.
void measure(Contests& contests) {
  add_kernel_rows(
      contests, "stencil, Jacobi", "1024 x 1024", "stencil",
      {"--rows", "1024", "--cols", "1024", "--start", "rough", "--sweeps", "300", "--repeat", "5"});
  if (effort() == Effort::quick) return;
  add_kernel_rows(contests, "stencil, red-black", "512 x 512", "stencil",
                  {"--rows", "512", "--cols", "512", "--method", "red-black", "--start", "rough",
                   "--sweeps", "500", "--repeat", "5"});
  // No sweep begins before it is known that the one before was not the last.
  add_kernel_rows(contests, "stencil, red-black to a tolerance", "512 x 512", "stencil",
                  {"--rows", "512", "--cols", "512", "--method", "red-black", "--start", "rough",
                   "--sweeps", "500", "--tolerance", "1e-6", "--repeat", "5"});
  add_scaling_rows(
      contests, "stencil, Jacobi, 1024 x 1024", "stencil",
      {"--rows", "1024", "--cols", "1024", "--start", "rough", "--sweeps", "100", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_contests("bench_kernels_stencil", measure);
}
