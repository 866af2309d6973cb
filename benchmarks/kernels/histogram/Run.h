#pragma once

#include <functional>
#include <memory>
#include <string>

#include "Exchange.h"
#include "Problem.h"
#include "support/Program.h"

namespace histogram {

struct Options {
  Problem problem;
  Combining combining = Combining::gather;
};

/// Creates the exchange, in which the programs differ. \collective  \throws kernels::UserError on
/// all units
using MakeExchange = std::function<std::unique_ptr<Exchange>(const Options&, kernels::World&,
                                                             const std::string& via)>;

/// The program with its options, which the DASH program and the baselines share.
kernels::Program make_program(const std::string& name, const MakeExchange& make_exchange);

}  // namespace histogram
