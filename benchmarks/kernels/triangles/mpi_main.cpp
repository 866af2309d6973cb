// The baseline of triangles with MPI only; see README.md.

#include "Kernel.h"
#include "MpiLists.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(argc, argv,
                           triangles::make_program("triangles_mpi", triangles::make_mpi_lists));
}
