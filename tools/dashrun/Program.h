#pragma once

#include <string>
#include <vector>

namespace dash::run {

/// Finds the program as a shell does: a name without '/' is searched for in PATH.
/// \returns the path that the launcher receives
/// \throws Error if there is no such program, or if it cannot be executed
std::string find_program(const std::string& name);

/// File names of the MPI libraries that this process has loaded: those of libdash. Empty if MPI is linked
/// statically.
std::vector<std::string> own_mpi_libraries();

/// Verifies that the program is not linked with another MPI library than libdash. Accepts programs without MPI,
/// such as scripts.
/// \param path  from find_program
/// \throws Error if it is
void check_mpi_of_program(const std::string& path);

}  // namespace dash::run
