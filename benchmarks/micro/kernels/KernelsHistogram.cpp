// dash-bench: serial quick=node starts=histogram,histogram_mpi
//
// A distributed histogram of the keys of NAS IS: ours beside the same by MPI alone. Starts the programs
// `histogram` and `histogram_mpi` that stand next to this one.

#include "support/Effort.h"
#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

void measure(Contests& contests) {
  add_kernel_rows(contests, "histogram", "class W", "histogram", {"--class", "W", "--repeat", "9"});
  if (effort() == Effort::quick) return;
  add_kernel_rows(contests, "histogram", "class A", "histogram", {"--class", "A", "--repeat", "3"});
  // Nobody adds to another process's memory by messages.
  const std::vector<std::string> one_sided{"rma", "shared"};
  add_kernel_rows(contests, "histogram, counts added", "class W", "histogram",
                  {"--class", "W", "--by", "accumulate", "--repeat", "9"}, true, one_sided);
  add_kernel_rows(contests, "histogram, keys added", "class S", "histogram",
                  {"--class", "S", "--by", "keys", "--repeat", "5"}, true, one_sided);
  add_scaling_rows(contests, "histogram, class W", "histogram", {"--class", "W", "--repeat", "5"});
}

}  // namespace

int main() {
  return run_contests("bench_kernels_histogram", measure);
}
