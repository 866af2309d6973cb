#pragma once

#include <functional>
#include <memory>
#include <string>

#include "Search.h"
#include "support/Program.h"

namespace uts {

/// Creates the balancer, in which the programs differ.
/// \param via  how units exchange data
/// \collective
using MakeBalancer = std::function<std::unique_ptr<Balancer>(const std::string& via,
                                                             const BalancerOptions& options)>;

/// \param name  name of the program
kernels::Program make_program(const std::string& name, MakeBalancer make);

}  // namespace uts
