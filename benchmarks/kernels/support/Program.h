#pragma once

/// \file
/// What a kernel or an application is, beside its twins: `program_main` of DashProgram.h or
/// MpiProgram.h runs it from start to end.

#include <functional>
#include <string>

#include "support/Report.h"
#include "support/UserError.h"
#include "support/World.h"

namespace CLI {
class App;
}

namespace kernels {

/// Options of all programs.
struct CommonOptions {
  /// How the units exchange: "dash", or of the twins "two-sided", "rma", "shared".
  std::string via = "dash";
  /// Runs of the timed part.
  int repeat = 1;
  /// Where unit 0 writes its report; may be empty.
  std::string report;
};

struct Program {
  std::string name;
  std::string description;
  /// Options of its own; checks of single values as CLI11 offers them.
  std::function<void(CLI::App&)> add_options;
  /// All units call it after the options are parsed.
  /// \throws UserError on all units, or anything on some, which ends the job
  std::function<Outcome(World&, const CommonOptions&)> run;
};

/// What all units do with a command line. \returns the exit code
using Run = std::function<int(int argc, char** argv, World& world)>;

/// Calls run. An error that people can mend, a UserError of all units, is one line of unit 0 and the
/// exit code 1; any other is a line of the unit that has it, and ends the job.
/// \param name  of the program, for those lines
/// \collective
int run_explained(int argc, char** argv, const std::string& name, const Run& run, World& world);

/// Parses, runs, reports.
/// \param is_twin  whether there is an option --via
/// \returns the exit code
/// \collective   \throws UserError on all units, or anything on some
int run_program(int argc, char** argv, const Program& program, World& world, bool is_twin);

/// For people: unit 0 prints it.
void print(const World& world, const std::string& text);

}  // namespace kernels
