// dash-bench: serial starts=terrain
//
// What more units than processors cost: a time step of the terrain simulation with two and with
// eight units on the same processors. Starts the program `terrain` that stands next to this one.

#include <fmt/core.h>

#include <regex>
#include <stdexcept>
#include <string>

#include "support/Contests.h"
#include "support/Measure.h"
#include "support/Process.h"
#include "support/Table.h"

using namespace dash::bench;

namespace {

constexpr double allowed = 1.3;
constexpr int few_units = 2;
constexpr int many_units = 8;
constexpr int pairs = 7;
constexpr double shortest_step_ns = 1e6;
constexpr double run_ns = 1e9;
constexpr int largest_tile = 64;

/// Nanoseconds of a step, as the program reports: "..., 1.23 ms a step, ...".
double step_in(const std::string& report) {
  static const std::regex pattern("([0-9.e+-]+) (us|ms|s) a step, [^ ]+ [a-z]+ in all");
  std::smatch found;
  if (!std::regex_search(report, found, pattern)) {
    throw std::runtime_error("no time of a step in the report of terrain:\n" + report);
  }
  const double ns_of_unit = found[2] == "us" ? 1e3 : found[2] == "ms" ? 1e6 : 1e9;
  return std::stod(found[1]) * ns_of_unit;
}

double step(int units, int tile, long steps) {
  const std::string tiles = fmt::format("{0},{0}", tile);
  const Command command = command_of_units(
      units, "node",
      {path_of_program("terrain"), "--tile", tiles, "--steps", std::to_string(steps)});
  const Ended ended = run(command);
  if (ended.code != 0) throw std::runtime_error(command.text() + " failed:\n" + ended.output);
  return step_in(ended.output);
}

void measure(Table& table) {
  int tile = 2;
  double step_ns = step(few_units, tile, 100);
  // With room: the time of a step goes up and down.
  while (step_ns < 1.2 * shortest_step_ns && tile < largest_tile) {
    tile *= 2;
    step_ns = step(few_units, tile, 100);
  }
  const long steps = repetitions_within(run_ns, step_ns);
  const auto samples = interleave(pairs, {[&] { return step(few_units, tile, steps); },
                                          [&] { return step(many_units, tile, steps); }});
  const Spread longer = spread(ratios(samples[1], samples[0]));
  table.add(with_figures({fmt::format("step with {} units", many_units),
                          fmt::format("{0} x {0} tiles", tile), duration(median(samples[1])),
                          fmt::format("{} units", few_units), duration(median(samples[0])),
                          ratio(longer), fmt::format("<= {}", allowed), longer.median <= allowed},
                         {samples[1], samples[0]}));
  table.note(fmt::format("{} pairs of runs of {} steps", samples[0].size(), steps));
}

}  // namespace

int main() {
  return run_contests("bench_steps", [](Contests& contests) { contests.run(measure); });
}
