#include "support/Program.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>

namespace kernels {

namespace {

int report_error(const World& world, const std::string& name, std::string text) {
  // The message is always one line.
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (world.is_root()) fmt::print(stderr, "{}: {}\n", name, text);
  return 1;
}

/// Checks before the work starts that the report can be written. Creates no file.
void check_writable(World& world, const std::string& file) {
  if (file.empty()) return;
  bool opened = true;
  if (world.is_root()) {
    const bool existed = std::ifstream(file).good();
    opened = std::ofstream(file, std::ios::app).good();
    if (!existed) std::remove(file.c_str());
  }
  if (world.max(opened ? 0.0 : 1.0) > 0) {
    throw UserError(fmt::format("cannot write to '{}': no such folder, or not permitted", file));
  }
}

/// \returns the text of --help if it was requested, otherwise an empty string
std::string parse(int argc, char** argv, const Program& program, CommonOptions& common,
                  bool is_baseline) {
  CLI::App app(program.description, program.name);
  app.add_option("--repeat", common.repeat, "runs of the timed part (1)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--report", common.report, "file to which unit 0 writes times as JSON");
  if (is_baseline) {
    common.via = "two-sided";
    app.add_option("--via", common.via,
                   "how units exchange data: two-sided, rma or shared (two-sided)")
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
  if (!world.is_root()) return;
  fmt::print("{}", text);
  std::fflush(stdout);
}

int run_program(int argc, char** argv, const Program& program, World& world, bool is_baseline) {
  CommonOptions common;
  if (const auto help = parse(argc, argv, program, common, is_baseline); !help.empty()) {
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
  if (world.is_root() && !common.report.empty()) {
    write_report(common.report, program.name, common.via, world, outcome);
  }
  if (!outcome.failure.empty()) {
    return report_error(world, program.name, "verification failed: " + outcome.failure);
  }
  print(world, line("verified", outcome.unverified.empty() ? "yes" : "no: " + outcome.unverified));
  return 0;
}

int run_and_report_errors(int argc, char** argv, const std::string& name, const Run& run,
                          World& world) {
  try {
    return run(argc, argv, world);
  } catch (const UserError& error) {
    return report_error(world, name, error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: unit {}: {}\n", name, world.unit(), error.what());
    world.abort();
  }
}

}  // namespace kernels
