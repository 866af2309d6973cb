#include "base/MpiCheck.h"

namespace dash::dart {

std::exception_ptr mpi_failure(int code) noexcept {
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  try {
    if (kind == MPI_ERR_TRUNCATE) {
      throw_error(DART_ERR_INVAL, "the message is longer than its receiver's buffer; it is lost");
    }
    check_mpi(code, "an operation of MPI in flight");
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace dash::dart
