// Counts triangles with DASH; see README.md.

#include "DashLists.h"
#include "Kernel.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  return kernels::dash_main(argc, argv,
                            triangles::make_program("triangles", triangles::make_dash_lists));
}
