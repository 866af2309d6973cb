// Compares placements of the units of an application on a machine, for an application whose units communicate with
// their neighbours on a grid: in the order of the units, mapped to the machine, and in random order. Prints hop-bytes by
// level and the busiest links; simulates a step with SimGrid.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "Comparison.h"
#include "Report.h"
#include "Simulation.h"

namespace {

using namespace dash::map;
using dash::core::mapping::MachineFormat;

struct Options {
  Problem problem;
  std::string csv;
  std::string rank_order;
  bool json = false;
  bool simulate = false;
};

/// Accepts finite numbers from `least` on.
CLI::Validator at_least(double least, const char* expected) {
  return CLI::Validator(
      [least, expected](const std::string& text) {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value);
        return is_number && value >= least && std::isfinite(value)
                   ? std::string()
                   : "'" + text + "': expected " + expected;
      },
      "");
}

void declare(CLI::App& app, Options& options) {
  Problem& problem = options.problem;
  app.add_option("-t,--topology", problem.topology,
                 "the machine: a file in the format of docs/how-to/place-units.md, Slurm's "
                 "topology.conf, or "
                 "positions of Cray nodes")
      ->required();
  const std::map<std::string, MachineFormat> formats{{"auto", MachineFormat::automatic},
                                                     {"dash", MachineFormat::dash},
                                                     {"slurm", MachineFormat::slurm},
                                                     {"cray", MachineFormat::cray}};
  app.add_option("--format", problem.format, "format of the topology; auto if not given")
      ->transform(CLI::CheckedTransformer(formats));
  app.add_option("-g,--grid", problem.grid, "units in each dimension, such as 24x24x16")
      ->required()
      ->delimiter('x')
      ->check(at_least(1, "numbers of units such as 24x24x16"));
  app.add_option("--periodic", problem.periodic,
                 "dimensions whose ends are neighbours: all, or numbers from 1, such as 1,3")
      ->delimiter(',');
  app.add_option("--weights", problem.weights,
                 "relative size of the messages in each dimension, such as 1,1,4")
      ->delimiter(',')
      ->check(at_least(0, "numbers such as 1,1,4"));
  app.add_option("--bytes", problem.nbytes, "size of a message of weight 1; 1e6 if not given")
      ->check(at_least(1, "a number of bytes"));
  app.add_option(
      "-n,--nodes", problem.nodes,
      "nodes of the job: a list such as n[001-064,70], or @FILE with lists; all if not given");
  app.add_option("--sparse", problem.sparse, "use only this number of nodes, chosen at random");
  app.add_option("-u,--units-per-node", problem.units_per_node,
                 "the number of cores of the node if not given");
  app.add_option("--seed", problem.seed, "seed of random choices; 1 if not given");
  app.add_flag("--simulate", options.simulate, "simulate a step with SimGrid and print its time");
  app.add_option(
      "--csv", options.csv,
      "write unit, node and NUMA domain of each position of the mapped grid to this file");
  app.add_option("--rank-order", options.rank_order,
                 "write the position of each unit to this file, in the format of MPICH_RANK_ORDER");
  app.add_flag("--json", options.json, "print the report as JSON");
  // Earlier versions wrote a picture of the grid to this file.
  app.add_option_function<std::string>("-o,--output",
                                       [](const std::string&) {
                                         throw CLI::ValidationError(
                                             "--output: dash-map draws no pictures; --csv FILE "
                                             "writes the data for a plotting program");
                                       })
      ->group("");
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + " cannot be written");
}

void run(const Options& options) {
  const Comparison comparison = compare(options.problem);
  std::optional<std::array<double, 2>> step_s;
  if (options.simulate) step_s = simulate(comparison);
  std::cout << (options.json ? json_report(options.problem, comparison, step_s)
                             : text_report(options.problem, comparison, step_s));
  if (!options.csv.empty()) write(options.csv, mapping_csv(comparison));
  if (!options.rank_order.empty()) write(options.rank_order, rank_order(comparison));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Compares placements of units on a machine, for units that communicate with their neighbours "
      "on a grid.",
      "dash-map");
  Options options;
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dash-map: %s\n", error.what());
    return 1;
  }
}
