// The baselines of uts with MPI only; see README.md.

#include "Kernel.h"
#include "MpiQueues.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(argc, argv, uts::make_program("uts_mpi", uts::make_mpi_balancer));
}
