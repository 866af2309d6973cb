// The baseline of stencil with MPI only: the same computation with a different exchange.

#include "MpiExchange.h"
#include "Run.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(argc, argv,
                           stencil::make_program("stencil_mpi", stencil::make_mpi_exchange));
}
