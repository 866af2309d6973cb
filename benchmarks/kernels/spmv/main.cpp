// Products of a sparse matrix and a vector with DASH; see README.md.

#include "DashFetch.h"
#include "Kernel.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  return kernels::dash_main(argc, argv, spmv::make_program("spmv", spmv::make_dash_fetch));
}
