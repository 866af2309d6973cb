#include "support/Program.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>

namespace kernels {

namespace {

int explain(const World& world, const std::string& name, std::string text) {
  // One line, whatever the text's author thought.
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (world.leads()) fmt::print(stderr, "{}: {}\n", name, text);
  return 1;
}

/// Known before the work rather than after it. Leaves no new file behind.
void check_writable(World& world, const std::string& file) {
  if (file.empty()) return;
  bool opened = true;
  if (world.leads()) {
    const bool existed = std::ifstream(file).good();
    opened = std::ofstream(file, std::ios::app).good();
    if (!existed) std::remove(file.c_str());
  }
  if (world.max(opened ? 0.0 : 1.0) > 0) {
    throw UserError(fmt::format("cannot write to '{}': no such folder, or not permitted", file));
  }
}

/// \returns the text of --help if that was asked for
std::string parse(int argc, char** argv, const Program& program, CommonOptions& common,
                  bool is_twin) {
  CLI::App app(program.description, program.name);
  app.add_option("--repeat", common.repeat, "runs of the timed part (1)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--report", common.report, "file to which unit 0 writes times as JSON");
  if (is_twin) {
    common.via = "two-sided";
    app.add_option("--via", common.via, "how units exchange: two-sided, rma or shared (two-sided)")
        ->check(CLI::IsMember({"two-sided", "rma", "shared"}));
  }
  if (program.add_options) program.add_options(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::Error& error) {
    throw UserError(error.what());
  }
  return {};
}

}  // namespace

void print(const World& world, const std::string& text) {
  if (!world.leads()) return;
  fmt::print("{}", text);
  std::fflush(stdout);
}

int run_program(int argc, char** argv, const Program& program, World& world, bool is_twin) {
  CommonOptions common;
  if (const auto help = parse(argc, argv, program, common, is_twin); !help.empty()) {
    print(world, help);
    return 0;
  }
  check_writable(world, common.report);
  if (common.via == "shared" && !world.is_one_node()) {
    throw UserError("--via shared needs all units on one node");
  }
  const Outcome outcome = program.run(world, common);
  print(world, fmt::format("{}, {} units, via {}\n", program.name, world.units(), common.via) +
                   describe(outcome));
  if (world.leads() && !common.report.empty()) {
    write_report(common.report, program.name, common.via, world, outcome);
  }
  if (!outcome.complaint.empty()) {
    return explain(world, program.name, "verification failed: " + outcome.complaint);
  }
  print(world, line("verified", outcome.unverified.empty() ? "yes" : "no: " + outcome.unverified));
  return 0;
}

int run_explained(int argc, char** argv, const std::string& name, const Run& run, World& world) {
  try {
    return run(argc, argv, world);
  } catch (const UserError& error) {
    return explain(world, name, error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: unit {}: {}\n", name, world.unit(), error.what());
    world.abort();
  }
}

}  // namespace kernels
