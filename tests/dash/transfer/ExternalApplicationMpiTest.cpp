// dash-test: parallel main=own ranks=full units=2,3 full-units=4 layouts=node,cliques,nolocal modes=auto,thread,poll full=all timeout=120

// The application has initialized MPI, so the library knows that it may call MPI.

#include "dash/transfer/ApplicationMpi.h"

int main(int argc, char** argv) {
  return dash::test::application_mpi_main(argc, argv, MPI_THREAD_MULTIPLE);
}
