// The baseline of spmv with MPI only; see README.md.

#include "Kernel.h"
#include "MpiFetch.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(argc, argv, spmv::make_program("spmv_mpi", spmv::make_mpi_fetch));
}
