#pragma once

#include <mpi.h>

#include <exception>
#include <string>

#include "base/Error.h"

namespace dash::dart {

/// Turns a return code of MPI other than MPI_SUCCESS into an exception. All return codes are
/// checked here.
/// \throws Error with the name of the call, the code and MPI's text
inline void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw_error(DART_ERR_OTHER, "{} failed with code {}: {}", call, code,
              std::string_view(text, static_cast<std::size_t>(length)));
}

/// The exception for an operation in flight that has failed with a return code of MPI.
std::exception_ptr mpi_failure(int code) noexcept;

}  // namespace dash::dart
