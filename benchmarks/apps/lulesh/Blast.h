#pragma once

#include <cstddef>
#include <functional>
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
  std::string verification;  ///< whether the result is right, and what it was compared with
};

/// \param can_share  whether units could compute dear materials for each other
/// \returns how many batches of them each unit has at the most, or 0 if that is not worth sharing
/// \throws UserError on all units if a report or a picture could not be written, or memory is short
std::size_t check_resources(kernels::World& world, const Options& options, const Mesh& mesh,
                            bool can_share);

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

/// Runs the blast as often as asked for, each time from the beginning, verifies each run, prints the result
/// of the last and writes the report that was asked for. An error of this unit alone ends the job: it must
/// not leave what the others share, who wait for it.
/// \param then  called with the result; may be empty
/// \collective  \returns the exit code: 1 if the result is wrong, which is said, too
/// \throws UserError on all units
int run_and_tell(kernels::World& world, const Options& options, const Problem& problem,
                 const std::function<void(const BlastResult&)>& then = {});

/// Parses the command line, and prints the text of --help or calls run.
/// \returns the exit code  \throws UserError on all units
int run_command_line(int argc, char** argv, kernels::World& world, Program program,
                     const std::function<int(kernels::World&, const Options&)>& run);

}  // namespace lulesh
