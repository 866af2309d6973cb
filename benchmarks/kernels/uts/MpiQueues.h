#pragma once

#include <memory>

#include "WorkQueues.h"

namespace uts {

/// Work stealing with two-sided messages, RMA or shared memory of MPI. \collective
std::unique_ptr<Balancer> make_mpi_balancer(const std::string& via, const BalancerOptions& options);

}  // namespace uts
