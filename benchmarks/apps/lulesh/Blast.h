#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Exchange.h"
#include "Fields.h"
#include "Loop.h"
#include "Material.h"
#include "Mesh.h"
#include "Options.h"
#include "Solver.h"
#include "support/Report.h"
#include "support/World.h"

namespace lulesh {

/// What it is run on.
struct Problem {
  const Mesh& mesh;
  Fields fields;
  Exchange& exchange;
  Loop loop;
  MaterialSharing* sharing = nullptr;
};

/// How it has ended, as all units know it.
struct BlastResult {
  long cycles = 0;
  double time = 0;
  double origin_energy = 0;
  kernels::Outcome outcome;
  std::string verification;  ///< what the result was compared with
};

/// Runs the blast as often as asked for, each time from the beginning, and verifies the last run.
/// \collective
/// \throws UserError on all units if the mesh does not stand it
BlastResult run_blast(kernels::World& world, const Options& options, const Problem& problem);

/// \throws UserError on all units if a report or a picture could not be written, or memory is short
void check_resources(kernels::World& world, const Options& options, const Mesh& mesh);

/// Runs f on unit 0, and lets all units know how it ended.
/// \collective  \throws UserError on all units if f does; only that of unit 0 has a text
template <class F>
void on_unit_0(kernels::World& world, const F& f) {
  std::string complaint;
  bool failed = false;
  if (world.leads()) {
    try {
      f();
    } catch (const UserError& error) {
      failed = true;
      complaint = error.what();
    }
  }
  if (world.max(failed ? 1.0 : 0.0) > 0) throw UserError(complaint);
}

/// Prints the result and writes the report that was asked for.
/// \collective  \returns the exit code: 1 if the result is wrong, which is said, too
int tell(kernels::World& world, const Options& options, const Problem& problem,
         const BlastResult& result);

}  // namespace lulesh
