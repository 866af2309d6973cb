// RandomAccess with DASH; see README.md.

#include "DashUpdaters.h"
#include "support/DashProgram.h"

int main(int argc, char** argv) {
  return kernels::dash_main(
      argc, argv, random_access::make_program("random_access", random_access::make_dash_updater));
}
