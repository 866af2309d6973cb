// dash-bench: serial quick=node starts=isx,isx_mpi
//
// ISx and NAS IS, compared with MPI baselines. Starts the programs `isx` and `isx_mpi` of the same folder.

#include "support/KernelRows.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

void measure(ComparisonSet& comparisons) {
  add_kernel_rows(comparisons, "NAS IS", "class W", "isx",
                  {"--mode", "nas", "--class", "W", "--repeat", "9"});
  if (sampling() == Sampling::quick) return;
  add_kernel_rows(comparisons, "NAS IS", "class A", "isx",
                  {"--mode", "nas", "--class", "A", "--repeat", "3"});
  add_kernel_rows(comparisons, "ISx, iso", "2^22 keys per unit", "isx",
                  {"--mode", "iso", "-n", "4194304", "--repeat", "15"});
  add_kernel_rows(comparisons, "ISx, weak", "2^20 keys per unit, below 2^24", "isx",
                  {"-n", "1048576", "--max-key", "16777216", "--repeat", "15"});
  // The key range of the specification, which needs 512 MiB of counters on each unit.
  add_kernel_rows(comparisons, "ISx, weak", "2^23 keys per unit, below 2^28", "isx",
                  {"-n", "8388608", "--repeat", "3"});
  add_kernel_rows(comparisons, "ISx, strong", "2^24 keys, below 2^28", "isx",
                  {"--mode", "strong", "-n", "16777216", "--repeat", "3"});
  add_scaling_rows(comparisons, "NAS IS, class W", "isx",
                   {"--mode", "nas", "--class", "W", "--repeat", "5"});
}

}  // namespace

int main() {
  return run_comparisons("bench_kernels_isx", measure);
}
