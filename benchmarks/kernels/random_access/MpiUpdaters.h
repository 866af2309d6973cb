#pragma once

#include "Kernel.h"

namespace random_access {

/// Two-sided, RMA or shared memory of MPI. \collective
/// \throws kernels::UserError for a variant that a way of exchange has not
std::unique_ptr<Updater> make_mpi_updater(const Distribution& distribution, const std::string& via,
                                          const std::string& variant);
/// Those of shared memory. \collective
std::unique_ptr<Updater> make_shared_updater(const Distribution& distribution,
                                             const std::string& variant);

}  // namespace random_access
