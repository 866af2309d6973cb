#pragma once

#include <string>

#include "dash/core/Export.h"

namespace dash::dart {

/// Name and version of the MPI library, for example "MPICH 4.0.2". May be called before
/// initialization.
/// \threads thread-safe
DASH_API std::string mpi_library();

}  // namespace dash::dart
