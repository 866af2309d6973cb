// The baseline of histogram with MPI only: the same computation with a different exchange.

#include "MpiExchange.h"
#include "Run.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(argc, argv,
                           histogram::make_program("histogram_mpi", histogram::make_mpi_exchange));
}
