// dash-test: parallel ranks=quick units=2,3 full-units=4 layouts=node,cliques,nolocal modes=auto,thread,poll full=all timeout=120

// The library has initialized MPI and does not know whether the application calls MPI.

#include "dash/transfer/ApplicationMpi.h"
#include "support/Catch.h"

TEST_CASE("MPI calls of the application complete while other units wait in the library",
          "[ApplicationMpi]") {
  CHECK(dash::test::application_mpi_works());
}
