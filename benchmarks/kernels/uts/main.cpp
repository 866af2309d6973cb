// Unbalanced tree search with DASH; see README.md.

#include "DashQueues.h"
#include "Kernel.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  return kernels::dash_main(argc, argv, uts::make_program("uts", uts::make_dash_balancer));
}
