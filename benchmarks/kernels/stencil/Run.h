#pragma once

#include <functional>
#include <memory>
#include <string>

#include "Exchange.h"
#include "Problem.h"
#include "support/Program.h"

namespace stencil {

/// What the programs differ in.
using MakeExchange = std::function<std::unique_ptr<Exchange>(const Problem&, const kernels::World&,
                                                             const std::string& via)>;

/// The program with its options, the same for ours and the twins.
kernels::Program make_program(const std::string& name, const MakeExchange& make_exchange);

/// Solves once in the way of an exchange. \returns the result, of unit 0
/// \collective
Result solve(const Problem& problem, kernels::World& world, Exchange& exchange);

}  // namespace stencil
