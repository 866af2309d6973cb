#pragma once

#include <memory>

#include "WorkQueues.h"

namespace uts {

/// Work stealing with DASH. \collective
std::unique_ptr<Balancer> make_dash_balancer(const std::string& via,
                                             const BalancerOptions& options);

}  // namespace uts
