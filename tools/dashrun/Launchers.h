#pragma once

#include <string>
#include <vector>

#include "Options.h"

namespace dash::run {

/// Families of MPI libraries, whose launchers have the same options.
enum class MpiFamily {
  mpich,    ///< MPICH and libraries derived from it: their mpiexec is hydra
  open_mpi  ///< their mpiexec is Open MPI's
};

/// \param library  name and version of the MPI library
MpiFamily mpi_family(const std::string& library);

/// Whether srun is in PATH.
bool has_srun();

// The launcher with its options, for each launcher; the program follows.
// \throws Error if the launcher does not exist

std::vector<std::string> hydra_arguments(const Options& options);
/// \param variables  "NAME=value"; Open MPI passes only variables that it is given to other hosts
std::vector<std::string> open_mpi_arguments(const Options& options,
                                            const std::vector<std::string>& variables);
std::vector<std::string> srun_arguments(const Options& options, MpiFamily mpi);

}  // namespace dash::run
