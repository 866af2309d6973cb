#include "Options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <map>

namespace dash::run {

namespace {

constexpr int max_units = 1'000'000;
constexpr int max_timeout_s = 10'000'000;

constexpr const char* description =
    "Starts a program of several units with the MPI library of DASH. In a job of Slurm, srun "
    "starts it.";

constexpr const char* footer =
    "Use: dashrun -n UNITS [OPTIONS] PROGRAM [ARGUMENTS]. All units receive the environment,\n"
    "except that mpiexec of Open MPI passes only DART_*, DASH_* and UCX_* to other hosts: add\n"
    "--launcher-arg=-x --launcher-arg=NAME for each other variable.\n"
    "Exit code: that of the launcher; 124 after a timeout; 125 if dashrun cannot start the "
    "program.";

/// Accepts whole numbers from 1 to `most`.
CLI::Validator whole_number(int most) {
  return {[most](const std::string& text) -> std::string {
            int value = 0;
            const char* const last = text.data() + text.size();
            const auto [end, error] = std::from_chars(text.data(), last, value);
            if (error == std::errc() && end == last && value >= 1 && value <= most) return {};
            return fmt::format("'{}' is not a whole number from 1 to {}", text, most);
          },
          ""};
}

/// Accepts one of the names, and replaces it by the value of an enumeration.
template <class Enum>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Enum& value,
                        const std::map<std::string, Enum>& names, const std::string& help) {
  return app.add_option_function<std::string>(
      name,
      [&value, name, names](const std::string& text) {
        const auto found = names.find(text);
        if (found == names.end()) {
          std::string valid;
          for (const auto& each : names)
            valid += (valid.empty() ? "" : ", ") + each.first;
          throw CLI::ValidationError(fmt::format("{}: '{}' is not one of {}", name, text, valid));
        }
        value = found->second;
      },
      help);
}

void declare(CLI::App& app, Options& options) {
  const CLI::Validator count = whole_number(max_units);
  app.prefix_command();
  app.footer(footer);
  app.add_option("-n,--units", options.units, "number of units (required)")->check(count);
  app.add_option("--units-per-node", options.units_per_node,
                 "units that each node of the job receives")
      ->check(count);
  app.add_option("--threads", options.threads,
                 "cores that each unit receives for its threads; binds it to them, except with "
                 "--bind numa or none: then only srun reserves them")
      ->check(count);
  add_choice<Bind>(
      app, "--bind", options.bind,
      {{"core", Bind::core}, {"numa", Bind::numa}, {"none", Bind::none}},
      "binds each unit to a core, to a NUMA domain, or not, so that the library divides "
      "the processors of a host: core, numa, none (default: core with --threads, else none)");
  auto* const nodes =
      app.add_option("--nodes", options.nodes, "simulates this number of nodes on one host")
          ->check(count);
  app.add_option("--progress-ranks", options.progress_ranks,
                 "starts this number of additional processes on each node, which make the progress "
                 "of its units (DART_PROGRESS=ranks); on several hosts, with --units-per-node")
      ->check(count);
  app.add_flag("--tcp", options.tcp, "each unit is a node, and nodes communicate by TCP")
      ->excludes(nodes);
  app.add_option("--trace", options.trace,
                 "writes the timeline of all units to this file (DART_TRACE)")
      ->check([](const std::string& file) {
        return std::string(file.empty() ? "expected the name of a file" : "");
      });
  app.add_option("--timeout", options.timeout_s,
                 "terminates the program after this number of seconds")
      ->check(whole_number(max_timeout_s));
  app.add_flag("--label", options.label, "prefixes each line of the output with the unit");
  app.add_flag("--dry-run", options.dry_run,
               "prints the command and its environment, and starts nothing");
  add_choice<LauncherChoice>(app, "--launcher", options.launcher,
                             {{"auto", LauncherChoice::automatic},
                              {"mpiexec", LauncherChoice::mpiexec},
                              {"srun", LauncherChoice::srun}},
                             "auto (srun in a job of Slurm, else mpiexec), mpiexec, srun");
  app.add_option("--launcher-arg", options.launcher_arguments,
                 "further argument for mpiexec or srun; may be repeated: --launcher-arg=-hosts")
      ->allow_extra_args(false);
}

/// Reports combinations that CLI11 cannot check.
void check(const Options& options) {
  if (!options.command.empty() && options.command.front().starts_with('-')) {
    throw Error(
        fmt::format("'{}' is not an option of dashrun; 'dashrun --help' lists them. Options of the "
                    "program follow the program",
                    options.command.front()));
  }
  if (options.units == 0) {
    throw Error("the number of units is missing; expected: dashrun -n 4 ./program");
  }
  if (options.command.empty()) {
    throw Error(
        fmt::format("the program is missing; expected: dashrun -n {} ./program", options.units));
  }
  const auto& words = options.command;
  if (std::find(words.begin(), words.end(), ":") != words.end()) {
    throw Error(
        "the program cannot have the argument ':', after which mpiexec and srun expect another "
        "program; start a script that calls the program with it");
  }
  if (options.nodes != 0 && options.units_per_node != 0) {
    throw Error(
        "--units-per-node and --nodes exclude each other; --nodes divides the units of one host");
  }
  if (options.nodes > options.units) {
    throw Error(
        fmt::format("--nodes {} is more than the {} units; expected at most one node per unit",
                    options.nodes, options.units));
  }
  if (options.nodes != 0) {
    const int size = options.simulated_node_units();
    const int nodes = (options.units + size - 1) / size;
    if (nodes != options.nodes) {
      throw Error(fmt::format(
          "{} units cannot be divided into {} nodes of equal size, of which only the last "
          "may be smaller; use --nodes {}, or another number of units",
          options.units, options.nodes, nodes));
    }
  }
  if (options.progress_ranks != 0 && options.tcp) {
    throw Error(
        "--progress-ranks serve the units of a node, but with --tcp each process is a node; use "
        "--nodes instead of --tcp");
  }
  if (options.progress_ranks > options.units / options.num_nodes()) {
    throw Error(fmt::format(
        "--progress-ranks {}: each of them serves at least one unit, but a node has {} units; "
        "expected at most as many",
        options.progress_ranks, options.units / options.num_nodes()));
  }
}

}  // namespace

Options parse_options(int argc, char** argv) {
  CLI::App app(description, "dashrun");
  Options options;
  declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    std::exit(app.exit(help));
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{}; 'dashrun --help' describes the options", error.what()));
  }
  options.command = app.remaining();
  if (!options.command.empty() && options.command.front() == "--") {
    options.command.erase(options.command.begin());
  }
  check(options);
  if (options.threads != 0 && app.count("--bind") == 0) options.bind = Bind::core;
  return options;
}

}  // namespace dash::run
