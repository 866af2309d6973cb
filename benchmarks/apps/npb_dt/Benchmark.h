#pragma once

/// \file
/// The benchmark without the exchange: options, memory, runs, checksum, report.

#include <functional>
#include <memory>
#include <string>

#include "Placement.h"
#include "Problem.h"
#include "support/Program.h"

namespace npb_dt {

/// The work of the calling unit.
class Processing {
 public:
  Processing() = default;
  Processing(const Processing&) = delete;
  Processing& operator=(const Processing&) = delete;
  virtual ~Processing() = default;

  /// Prepares a run. No unit accesses the caller's streams: all units have completed the previous
  /// run. A barrier follows.
  /// \collective
  virtual void prepare() = 0;
  /// Computes the unit's nodes. \returns the sum of the values of its sinks
  virtual double run() = 0;
};

/// \param via  how the units exchange data
using MakeProcessing = std::function<std::unique_ptr<Processing>(
    const Problem& problem, const Placement& placement, const std::string& via)>;

/// \param make  creates the Processing; collective
kernels::Program benchmark(const std::string& name, MakeProcessing make);

}  // namespace npb_dt
