#include "Benchmark.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>
#include <utility>

namespace npb_dt {

namespace {

struct Options {
  std::string shape = "SH";
  std::string size = "S";
  std::string map = "layers";
};

Problem problem_of(const Options& options) {
  try {
    return Problem::named(options.shape, options.size);
  } catch (const std::invalid_argument& error) {
    throw kernels::UserError(error.what());
  }
}

std::string describe_run(const Problem& problem, const kernels::World& world,
                         const kernels::Outcome& outcome, double checksum) {
  const int nodes = problem.graph.size();
  constexpr double numbers_per_mib = (1 << 20) / sizeof(double);
  const double mib = problem.nominal_traffic() / numbers_per_mib;
  return kernels::line("graph", describe(problem)) +
         kernels::line(
             "placement",
             nodes <= world.units()
                 ? fmt::format("one node per unit, {} units without nodes", world.units() - nodes)
                 : fmt::format("{} nodes on {} units", nodes, world.units())) +
         kernels::line("checksum", fmt::format("{:.0f}", checksum)) +
         kernels::line("traffic", fmt::format("{:.4g} MiB, {:.4g} MiB/s", mib,
                                              outcome.rate() * sizeof(double))) +
         kernels::line("rate per unit",
                       fmt::format("{:.4g} {}", outcome.rate() / world.units(), outcome.rate_unit));
}

kernels::Outcome run(kernels::World& world, const kernels::CommonOptions& common,
                     const Options& options, const MakeProcessing& make) {
  const Problem problem = problem_of(options);
  const Placement placement(problem.graph, world.units(), options.map);
  // If units read streams in shared memory, they need no copies of other units' streams.
  const bool copies = common.via == "two-sided" || common.via == "rma" || !world.is_one_node();
  const std::size_t streams = placement.max_streams() + (copies ? placement.max_remote_arcs() : 0);
  kernels::require_memory(
      world, static_cast<double>(streams * problem.size.longest_stream() * sizeof(double)),
      describe(problem));
  if (world.is_one_node() && (common.via == "rma" || common.via == "shared")) {
    kernels::require_shared_memory(
        world,
        static_cast<double>(placement.max_streams() * problem.size.longest_stream() *
                            sizeof(double)),
        describe(problem));
  }

  const auto processing = make(problem, placement, common.via);
  double checksum = 0;
  kernels::Outcome outcome;
  outcome.samples = kernels::take_samples(
      world, common.repeat, [&] { processing->prepare(); },
      [&](kernels::Stopwatch&) {
        checksum = world.sum(processing->run());
        if (outcome.failure.empty()) outcome.failure = problem.find_failure(checksum).value_or("");
      });
  // NPB counts 2^20 numbers as a Mop.
  outcome.work = problem.nominal_traffic() / (1 << 20);
  outcome.rate_unit = "Mop/s";
  outcome.result = checksum;
  outcome.description = describe_run(problem, world, outcome, checksum);
  return outcome;
}

}  // namespace

kernels::Program benchmark(const std::string& name, MakeProcessing make) {
  const auto options = std::make_shared<Options>();
  const auto add_options = [options](CLI::App& app) {
    app.add_option("graph", options->shape,
                   "BH (black hole), WH (white hole) or SH (shuffle; default)");
    app.add_option("--class", options->size, "S, W, A or B (S)");
    app.add_option("--map", options->map,
                   "distribution of nodes over fewer units: layers, block or cyclic (layers)")
        ->check(CLI::IsMember({"layers", "block", "cyclic"}));
  };
  return {name, "Data traffic: streams through a graph of nodes (NPB DT)", add_options,
          [options, make = std::move(make)](kernels::World& world,
                                            const kernels::CommonOptions& common) {
            return run(world, common, *options, make);
          }};
}

}  // namespace npb_dt
