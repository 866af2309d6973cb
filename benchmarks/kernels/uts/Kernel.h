#pragma once

#include <functional>
#include <memory>
#include <string>

#include "Search.h"
#include "support/Program.h"

namespace uts {

/// Creates the balancer, in which the programs differ.
/// \param via       how units exchange data
/// \param chunk     a unit gives nodes away only if it keeps at least this number
/// \param capacity  largest number of nodes that a unit offers at a time
/// \collective
using MakeBalancer = std::function<std::unique_ptr<Balancer>(
    const std::string& via, std::size_t chunk, std::size_t capacity)>;

/// \param name  name of the program
kernels::Program make_program(const std::string& name, MakeBalancer make);

}  // namespace uts
