// ISx and NAS IS by MPI alone: the computation is the same code, the exchange differs.

#include "MpiExchange.h"
#include "support/MpiProgram.h"

int main(int argc, char** argv) {
  return kernels::mpi_main(
      argc, argv,
      isx::kernel("isx_mpi", [](kernels::World&, const std::string& via, std::size_t capacity) {
        return isx::make_mpi_exchange(via, capacity);
      }));
}
