// The baseline of isx with MPI only: the same computation with a different exchange.

#include "MpiExchange.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(
      argc, argv,
      isx::kernel("isx_mpi", [](kernels::World&, const std::string& via, std::size_t capacity) {
        return isx::make_mpi_exchange(via, capacity);
      }));
}
