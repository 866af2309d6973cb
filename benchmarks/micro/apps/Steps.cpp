// dash-bench: serial starts=terrain
//
// The cost of more units than processors: a time step of the terrain simulation with two and with eight
// units on the same processors. Starts the program `terrain` of the same folder.

#include <fmt/core.h>

#include <string>

#include "support/ComparisonSet.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/TerrainSteps.h"

using namespace dash::bench;

namespace {

constexpr double allowed = 1.3;
constexpr int few_units = 2;
constexpr int many_units = 8;
constexpr int pairs = 7;
constexpr double min_step_ns = 1e6;
constexpr double run_ns = 1e9;
constexpr int largest_tile = 64;

ProgramRun run_of(int units, int tile, long steps) {
  return {.units = units,
          .program = "terrain",
          .arguments = {"--tile", fmt::format("{0},{0}", tile), "--steps", std::to_string(steps)}};
}

/// \returns nanoseconds of a step
double measure_step(int units, int tile, long steps) {
  return measure_terrain_steps(run_of(units, tile, steps)).step;
}

void measure(Table& table) {
  int tile = 2;
  double step_ns = measure_step(few_units, tile, 100);
  // With a margin, since the time of a step varies.
  while (step_ns < 1.2 * min_step_ns && tile < largest_tile) {
    tile *= 2;
    step_ns = measure_step(few_units, tile, 100);
  }
  const long steps = repetitions_within(run_ns, step_ns);
  const auto samples = interleave(pairs, {[&] { return measure_step(few_units, tile, steps); },
                                          [&] { return measure_step(many_units, tile, steps); }});
  const Spread slowdown = spread(ratios(samples[1], samples[0]));
  Figures figures{samples[1], samples[0]};
  figures.ours_origin.command = run_of(many_units, tile, steps).text();
  figures.baseline_origin.command = run_of(few_units, tile, steps).text();
  table.add(with_figures(
      {fmt::format("step with {} units", many_units), fmt::format("{0} x {0} tiles", tile),
       format_duration(median(samples[1])), fmt::format("{} units", few_units),
       format_duration(median(samples[0])), format_ratio(slowdown), fmt::format("<= {}", allowed),
       slowdown.median <= allowed},
      figures));
  table.add_note(fmt::format("{} pairs of runs of {} steps", samples[0].size(), steps));
}

}  // namespace

int main() {
  return run_comparisons("bench_steps",
                         [](ComparisonSet& comparisons) { comparisons.run(measure); });
}
