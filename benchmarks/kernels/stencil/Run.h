#pragma once

#include <functional>
#include <memory>
#include <string>

#include "Exchange.h"
#include "Problem.h"
#include "support/Program.h"

namespace stencil {

/// Creates the exchange, in which the programs differ. \collective
using MakeExchange = std::function<std::unique_ptr<Exchange>(const Problem&, const kernels::World&,
                                                             const std::string& via)>;

/// The program with its options, which the DASH program and the baselines share.
kernels::Program make_program(const std::string& name, const MakeExchange& make_exchange);

/// Solves the problem once with an exchange. \returns the result on unit 0
/// \collective
Result solve(const Problem& problem, kernels::World& world, Exchange& exchange);

}  // namespace stencil
