// dash-test: parallel main=own units=2,3 full-units=4 layouts=node,nolocal modes=auto,poll timeout=120

// The application has initialised MPI, so the library knows that it may call MPI.

#include <cstdio>

#include "dash/transfer/ApplicationMpi.h"

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  bool is_right = true;
  for (int i = 0; i < 2; ++i) {  // the second time, the library uses its session again
    dash::init(&argc, &argv);
    is_right = dash::test::application_mpi_works() && is_right;
    dash::finalize();
  }
  MPI_Finalize();
  if (!is_right) std::fprintf(stderr, "an MPI call of the application had a wrong result\n");
  return is_right ? 0 : 1;
}
