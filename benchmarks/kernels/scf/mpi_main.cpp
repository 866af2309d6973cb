// The baseline of scf with MPI only: the same computation with a different exchange.

#include "MpiExchange.h"
#include "Run.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(argc, argv, scf::make_program("scf_mpi", scf::make_mpi_exchange));
}
