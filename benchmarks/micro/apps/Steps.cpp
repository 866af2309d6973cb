// dash-bench: serial starts=terrain
//
// What more units than processors cost: a time step of the terrain simulation with two and with
// eight units on the same processors. Starts the program `terrain` that stands next to this one.

#include <fmt/core.h>

#include <string>

#include "support/Contests.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/TerrainSteps.h"

using namespace dash::bench;

namespace {

constexpr double allowed = 1.3;
constexpr int few_units = 2;
constexpr int many_units = 8;
constexpr int pairs = 7;
constexpr double shortest_step_ns = 1e6;
constexpr double run_ns = 1e9;
constexpr int largest_tile = 64;

ProgramRun run_of(int units, int tile, long steps) {
  return {units,
          "node",
          "terrain",
          {"--tile", fmt::format("{0},{0}", tile), "--steps", std::to_string(steps)}};
}

/// Nanoseconds of a step.
double step(int units, int tile, long steps) {
  return take_terrain_steps(run_of(units, tile, steps)).step;
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
  Figures figures{samples[1], samples[0]};
  figures.ours_from.command = run_of(many_units, tile, steps).text();
  figures.twin_from.command = run_of(few_units, tile, steps).text();
  table.add(with_figures({fmt::format("step with {} units", many_units),
                          fmt::format("{0} x {0} tiles", tile), duration(median(samples[1])),
                          fmt::format("{} units", few_units), duration(median(samples[0])),
                          ratio(longer), fmt::format("<= {}", allowed), longer.median <= allowed},
                         figures));
  table.note(fmt::format("{} pairs of runs of {} steps", samples[0].size(), steps));
}

}  // namespace

int main() {
  return run_contests("bench_steps", [](Contests& contests) { contests.run(measure); });
}
