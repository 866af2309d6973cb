// Counts triangles on the library; see README.md.

#include "DashLists.h"
#include "Kernel.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  kernels::progress_in_calls();
  return kernels::dash_main(argc, argv,
                            triangles::make_program("triangles", triangles::make_dash_lists));
}
