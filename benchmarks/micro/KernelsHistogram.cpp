// dash-bench: serial starts=histogram,histogram_mpi
//
// A distributed histogram of the keys of NAS IS: ours beside the same by MPI alone. Starts the programs
// `histogram` and `histogram_mpi` that stand next to this one.

#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

void measure(Table& table) {
  add_kernel_rows(table, "histogram", "class W", "histogram", {"--class", "W", "--repeat", "9"});
  add_kernel_rows(table, "histogram", "class A", "histogram", {"--class", "A", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_contests("bench_kernels_histogram", measure);
}
