#pragma once

#include "Kernel.h"

namespace random_access {

/// Creates an updater with two-sided messages, RMA or shared memory of MPI. \collective
/// \throws kernels::UserError if the exchange does not support the variant
std::unique_ptr<Updater> make_mpi_updater(const Distribution& distribution, const std::string& via,
                                          const std::string& variant);
/// Creates an updater with shared memory. \collective
std::unique_ptr<Updater> make_shared_updater(const Distribution& distribution,
                                             const std::string& variant);

}  // namespace random_access
