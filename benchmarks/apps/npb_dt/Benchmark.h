#pragma once

/// \file
/// The benchmark but for the exchange: options, memory, runs, checksum, report.

#include <functional>
#include <memory>
#include <string>

#include "Placement.h"
#include "Problem.h"
#include "support/Program.h"

namespace npb_dt {

/// The calling unit's part of the work.
class Processing {
 public:
  Processing() = default;
  Processing(const Processing&) = delete;
  Processing& operator=(const Processing&) = delete;
  virtual ~Processing() = default;

  /// Before each run. Nobody reads or writes the caller's streams: all units have met since the run
  /// before. \collective, a barrier follows
  virtual void prepare() = 0;
  /// Computes the unit's nodes. \returns the sum of the values of its sinks
  virtual double run() = 0;
};

/// \param via how the units exchange
using MakeProcessing = std::function<std::unique_ptr<Processing>(
    const Problem& problem, const Placement& placement, const std::string& via)>;

/// \param make  \collective
kernels::Program benchmark(const std::string& name, MakeProcessing make);

}  // namespace npb_dt
