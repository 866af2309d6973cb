// dash-bench: serial quick=node starts=isx,isx_mpi
//
// ISx and NAS IS: ours beside the same by MPI alone. Starts the programs `isx` and `isx_mpi` that stand
// next to this one.

#include "support/Effort.h"
#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

void measure(Contests& contests) {
  add_kernel_rows(contests, "NAS IS", "class W", "isx",
                  {"--mode", "nas", "--class", "W", "--repeat", "9"});
  if (effort() == Effort::quick) return;
  add_kernel_rows(contests, "NAS IS", "class A", "isx",
                  {"--mode", "nas", "--class", "A", "--repeat", "3"});
  add_kernel_rows(contests, "ISx, iso", "2^22 keys a unit", "isx",
                  {"--mode", "iso", "-n", "4194304", "--repeat", "15"});
  add_kernel_rows(contests, "ISx, weak", "2^20 keys a unit, below 2^24", "isx",
                  {"-n", "1048576", "--max-key", "16777216", "--repeat", "15"});
  // The keys of the specification: 512 MiB of counters on each unit.
  add_kernel_rows(contests, "ISx, weak", "2^23 keys a unit, below 2^28", "isx",
                  {"-n", "8388608", "--repeat", "3"});
  add_kernel_rows(contests, "ISx, strong", "2^24 keys, below 2^28", "isx",
                  {"--mode", "strong", "-n", "16777216", "--repeat", "3"});
  add_scaling_rows(contests, "NAS IS, class W", "isx",
                   {"--mode", "nas", "--class", "W", "--repeat", "5"});
}

}  // namespace

int main() {
  return run_contests("bench_kernels_isx", measure);
}
