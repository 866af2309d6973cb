// Products of a sparse matrix and a vector on the library; see README.md.

#include "DashFetch.h"
#include "Kernel.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  kernels::progress_in_calls();
  return kernels::dash_main(argc, argv, spmv::make_program("spmv", spmv::make_dash_fetch));
}
