// The baseline of random_access with MPI only; see README.md.

#include "MpiUpdaters.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(
      argc, argv,
      random_access::make_program("random_access_mpi", random_access::make_mpi_updater));
}
