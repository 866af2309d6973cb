// dash-test: parallel main=own ranks=full units=2,3 full-units=4 layouts=node,cliques,nolocal modes=auto,poll full=all timeout=120

// Only the main thread may call MPI: it makes progress for MPI while it waits in the library. The mode `thread` needs
// MPI_THREAD_MULTIPLE.

#include "dash/transfer/ApplicationMpi.h"

int main(int argc, char** argv) {
  return dash::test::application_mpi_main(argc, argv, MPI_THREAD_FUNNELED);
}
