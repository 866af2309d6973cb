// dash-bench: serial starts=triangles,triangles_mpi
//
// Triangle counting: ours beside the same computation by MPI alone. Starts the programs `triangles` and
// `triangles_mpi` that stand next to this one.

#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

void measure(Table& table) {
  add_kernel_rows(table, "triangles, by id", "scale 14", "triangles",
                  {"-s", "14", "--repeat", "5"});
  add_kernel_rows(table, "triangles, by degree", "scale 15", "triangles",
                  {"-s", "15", "--order", "degree", "--repeat", "5"});
}

}  // namespace

int main() {
  return run_contests("bench_kernels_triangles", measure);
}
