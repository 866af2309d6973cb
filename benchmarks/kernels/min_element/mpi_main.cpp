// The baseline of min_element with MPI only: each process searches its own elements, then they
// reduce.

#include "MpiSearch.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(
      argc, argv, min_element::make_program("min_element_mpi", min_element::make_mpi_search));
}
