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
  Dealing dealing;
  Adding adding = Adding::by_row;
  long spin = 0;
};

/// What the programs differ in. \throws kernels::UserError on all units
using MakeExchange = std::function<std::unique_ptr<Exchange>(const Options&, const kernels::World&,
                                                             const std::string& via)>;

/// The program with its options, the same for ours and the twins.
kernels::Program make_program(const std::string& name, const MakeExchange& make_exchange);

/// What all units have done in a run.
struct Totals {
  Work work;
  long counter = 0;
};

/// What is wrong with the numbers of tasks, integrals and requests; empty if nothing.
std::string complaint_of(const Options& options, int units, const Totals& totals);

}  // namespace scf
