#pragma once

#include <mpi.h>

#include <exception>
#include <string>

#include "base/Error.h"

namespace dash::dart {

/// The one place where MPI's return codes are looked at.
/// \throws Error with the call, the code and MPI's text
inline void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw_error(DART_ERR_OTHER, "{} failed with code {}: {}", call, code,
              std::string_view(text, static_cast<std::size_t>(length)));
}

/// The same for an operation that has failed in the meantime.
std::exception_ptr mpi_failure(int code) noexcept;

}  // namespace dash::dart
