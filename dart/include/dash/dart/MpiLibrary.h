#pragma once

#include <string>

#include "dash/core/Export.h"

namespace dash::dart {

/// Name and version of the MPI library, for example "MPICH 4.0.2". May be called before
/// initialization.
/// \threads thread-safe
DASH_API std::string mpi_library();

/// Whether srun started this process itself. A process that a task starts, such as a unit of an
/// mpiexec or a program in a shell of `srun --pty`, inherits the variables of the step, but they say
/// nothing about it. May be called before initialization.
/// \threads no thread may change the environment at the same time
DASH_API bool is_task_of_srun();

}  // namespace dash::dart
