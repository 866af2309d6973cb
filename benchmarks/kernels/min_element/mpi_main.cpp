// The same by MPI alone, for comparison: each process looks through its own part, then they agree.

#include "MpiSearch.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(
      argc, argv, min_element::make_program("min_element_mpi", min_element::make_mpi_search));
}
