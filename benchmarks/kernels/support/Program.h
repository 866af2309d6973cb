#pragma once

/// \file
/// Description of a kernel or an application. `dash_main` of DashProgram.h runs it with DASH,
/// `mpi_main` of MpiProgram.h with MPI only, as a baseline.

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "support/Report.h"
#include "support/UserError.h"
#include "support/World.h"

namespace CLI {
class App;
}

namespace kernels {

/// Options of all programs.
struct CommonOptions {
  /// How the units exchange data: "dash", or "two-sided", "rma", "shared" of the baselines.
  std::string via = "dash";
  /// Runs of the timed part.
  int repeat = 1;
  /// File to which unit 0 writes the report; empty: none.
  std::string report;
};

struct Program {
  std::string name;
  std::string description;
  /// Adds the options of this program, with CLI11's checks of single values.
  std::function<void(CLI::App&)> add_options;
  /// Called by all units after the options are parsed.
  /// \throws UserError on all units; any other exception ends the job
  std::function<Outcome(World&, const CommonOptions&)> run;
};

/// A program whose options are an object, and that creates its exchange of data with `make`, in which the
/// program with DASH and its baselines differ.
template <class Options, class Make>
Program make_program(std::string name, std::string description,
                     void (*add_options)(CLI::App&, Options&),
                     Outcome (*run)(World&, const CommonOptions&, const Options&, const Make&),
                     Make make) {
  const auto options = std::make_shared<Options>();
  return {std::move(name), std::move(description),
          [=](CLI::App& app) { add_options(app, *options); },
          [=, make = std::move(make)](World& world, const CommonOptions& common) {
            return run(world, common, *options, make);
          }};
}

/// The main function of each unit. \returns the exit code
using Run = std::function<int(int argc, char** argv, World& world)>;

/// Calls `run` and reports its errors. For a UserError, which all units throw, unit 0 prints one
/// line and the exit code is 1. For any other exception, the unit that caught it prints one line
/// and ends the job.
/// \param name  name of the program, for those lines
/// \collective
int run_and_report_errors(int argc, char** argv, const std::string& name, const Run& run,
                          World& world);

/// Parses the command line, runs the program, and prints and writes its results.
/// \param is_baseline  whether the program has the option --via
/// \returns the exit code
/// \collective
/// \throws UserError on all units; other exceptions on some of them
int run_program(int argc, char** argv, const Program& program, World& world, bool is_baseline);

/// Prints a text on unit 0.
void print(const World& world, const std::string& text);

}  // namespace kernels
