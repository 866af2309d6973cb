// dash-bench: serial quick=node starts=triangles,triangles_mpi
//
// Triangle counting: ours beside the same computation by MPI alone. Starts the programs `triangles` and
// `triangles_mpi` that stand next to this one.

#include "support/Effort.h"
#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

void measure(Contests& contests) {
  add_kernel_rows(contests, "triangles, by id", "scale 14", "triangles",
                  {"-s", "14", "--repeat", "5"});
  if (effort() == Effort::quick) return;
  add_kernel_rows(contests, "triangles, by id", "scale 15", "triangles",
                  {"-s", "15", "--repeat", "5"});
  add_kernel_rows(contests, "triangles, by degree", "scale 15", "triangles",
                  {"-s", "15", "--order", "degree", "--repeat", "5"});
  // Messages have no counter that units share.
  add_kernel_rows(contests, "triangles, 64 at a time", "scale 15", "triangles",
                  {"-s", "15", "--order", "degree", "--chunk", "64", "--repeat", "5"}, true,
                  {"rma", "shared"});
  add_scaling_rows(contests, "triangles, by id, scale 14", "triangles",
                   {"-s", "14", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_contests("bench_kernels_triangles", measure);
}
