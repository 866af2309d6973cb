// What a mapping of units to a machine is worth: hop-bytes by level and the most loaded links for the
// order of the units, the mapped order and one at random; a picture; a simulated step.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "Picture.h"
#include "Report.h"
#include "Simulation.h"
#include "Study.h"

namespace {

using namespace dash::map;
using dash::core::mapping::MachineFormat;

struct Options {
  Question question;
  std::string format = "auto";
  std::string picture;
  std::string draw = "mapped";
  std::string ranks;
  bool json = false;
  bool simulate = false;
};

void declare(CLI::App& app, Options& options) {
  Question& question = options.question;
  app.add_option("-t,--topology", question.topology,
                 "the machine: a file of docs/mapping.md, Slurm's topology.conf, or places of Cray "
                 "nodes")
      ->required();
  app.add_option("--format", options.format, "of the topology: auto, dash, slurm, cray")
      ->check(CLI::IsMember({"auto", "dash", "slurm", "cray"}));
  app.add_option("-g,--grid", question.grid, "units in each dimension, as 24x24x16")->required();
  app.add_option("--periodic", question.periodic,
                 "dimensions whose ends are neighbours: all, or numbers from 1 as 1,3");
  app.add_option("--weights", question.weights,
                 "what goes to a neighbour in each dimension, as 1,1,4");
  app.add_option("--bytes", question.nbytes, "of a weight of 1; a megabyte if not given");
  app.add_option("-n,--nodes", question.nodes,
                 "a list as n[001-064,70], or @FILE with lists; all nodes if not given");
  app.add_option("--sparse", question.sparse, "so many of the nodes only, chosen at random");
  app.add_option("-u,--units-per-node", question.per_node, "as many as it has cores if not given");
  app.add_option("--seed", question.seed, "of what is at random; 1 if not given");
  app.add_flag("--simulate", options.simulate, "the time of a step, by SimGrid");
  app.add_option("-o,--output", options.picture, "draw the grid into this SVG file");
  app.add_option("--draw", options.draw, "which order to draw: default, mapped, random")
      ->check(CLI::IsMember({"default", "mapped", "random"}));
  app.add_option("--rank-order", options.ranks,
                 "write the position of each unit, as MPICH_RANK_ORDER has ranks, into this file");
  app.add_flag("--json", options.json, "the report as JSON");
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + " cannot be written");
}

void run(Options options) {
  options.question.format = options.format == "dash"    ? MachineFormat::dash
                            : options.format == "slurm" ? MachineFormat::slurm
                            : options.format == "cray"  ? MachineFormat::cray
                                                        : MachineFormat::automatic;
  const Study all = study(options.question);
  std::optional<std::array<double, 2>> step_s;
  if (options.simulate) step_s = simulate(all);
  std::cout << (options.json ? json_report(options.question, all, step_s)
                             : text_report(options.question, all, step_s));
  for (const Order& order : all.orders) {
    if (!options.picture.empty() && order.name == options.draw)
      write(options.picture, draw(all, order));
  }
  if (!options.ranks.empty()) write(options.ranks, rank_order(all));
  if (!options.json && !options.picture.empty())
    std::cout << "\nThe picture: " << options.picture << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Evaluates mappings of units, which talk to their neighbours on a grid, to a machine.",
      "dash-map");
  Options options;
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    run(std::move(options));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dash-map: %s\n", error.what());
    return 1;
  }
}
