// dash-test: parallel main=own ranks=full units=2,3 full-units=4 layouts=node,cliques,nolocal modes=auto,poll full=all timeout=120

// One thread at a time may call MPI or the library: the one that waits in the library makes progress for MPI. The mode
// `thread` needs MPI_THREAD_MULTIPLE.

#include "dash/transfer/ApplicationMpi.h"

int main(int argc, char** argv) {
  return dash::test::application_mpi_main(argc, argv, MPI_THREAD_SERIALIZED);
}
