#pragma once

#include <functional>
#include <memory>
#include <string>

#include "Exchange.h"
#include "Loop.h"
#include "Reference.h"
#include "support/Program.h"

namespace scf {

/// Options of all programs.
struct Options {
  Problem problem;
  Scheduling scheduling;
  Accumulation accumulation = Accumulation::after_row;
  long spin = 0;
  bool polls = true;  // units make progress for others while they compute
};

/// Creates the exchange, in which the programs differ. \collective  \throws kernels::UserError on
/// all units
using MakeExchange = std::function<std::unique_ptr<Exchange>(const Options&, const kernels::World&,
                                                             const std::string& via)>;

/// The program with its options, which the DASH program and the baselines share.
kernels::Program make_program(const std::string& name, const MakeExchange& make_exchange);

/// The work of all units in a run.
struct Totals {
  Work work;
  long counter = 0;
};

/// Checks the numbers of tasks, integrals and requests to the counter.
/// \returns an error message; empty if they are correct
std::string find_failure(const Options& options, int units, const Totals& totals);

}  // namespace scf
