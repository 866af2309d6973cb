#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "Options.h"
#include "exchange/Exchange.h"
#include "mesh/Fields.h"
#include "mesh/Mesh.h"
#include "physics/Loop.h"
#include "physics/Material.h"
#include "physics/Solver.h"
#include "support/Report.h"
#include "support/World.h"

namespace lulesh {

/// The mesh and state of a blast, and the implementations that compute it.
struct Problem {
  const Mesh& mesh;
  Fields fields;
  Exchange& exchange;
  Loop loop;
  MaterialSharing* sharing = nullptr;
};

/// The result of a blast, the same on all units.
struct BlastResult {
  long cycles = 0;
  double time = 0;
  double origin_energy = 0;
  kernels::Outcome outcome;
  std::string verification;  ///< whether the result is correct, and what it was compared with
};

/// Checks that the report and the picture can be written and that the memory suffices.
/// \param can_share  whether units can compute expensive materials for each other
/// \returns the maximum number of expensive batches on a unit, or 0 if there are too few to share
/// \collective
/// \throws UserError on all units if a check fails
std::size_t check_resources(kernels::World& world, const Options& options, const Mesh& mesh,
                            bool can_share);

/// Runs f on unit 0 and reports its error to all units.
/// \collective
/// \throws UserError on all units if f throws one; only the exception of unit 0 has a text
template <class F>
void on_unit_0(kernels::World& world, const F& f) {
  std::string failure;
  bool failed = false;
  if (world.is_root()) {
    try {
      f();
    } catch (const UserError& error) {
      failed = true;
      failure = error.what();
    }
  }
  if (world.max(failed ? 1.0 : 0.0) > 0) throw UserError(failure);
}

/// Runs and verifies the blast `options.repeat` times, each time from the initial state. Prints the
/// result of the last run and writes the report, if requested. An error of only one unit ends the
/// job, since unwinding would destroy shared memory that the other units still use.
/// \param then  called with the result; may be empty
/// \returns the exit code: 1 if the result is wrong, which is also printed
/// \collective
/// \throws UserError on all units
int run_and_report(kernels::World& world, const Options& options, const Problem& problem,
                   const std::function<void(const BlastResult&)>& then = {});

/// Parses the command line. Prints the text of --help, or calls `run`.
/// \returns the exit code
/// \throws UserError on all units
int run_command_line(int argc, char** argv, kernels::World& world, Program program,
                     const std::function<int(kernels::World&, const Options&)>& run);

}  // namespace lulesh
