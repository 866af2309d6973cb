// dash-bench: serial starts=terrain,terrain_mpi
//
// What is left of the time of an exchange that is hidden: steps of the terrain simulation whose inner
// work takes three times as long as their exchange, between two nodes joined by TCP, beside steps
// whose exchange is left out. The twin is two-sided: what its steps take longer is what TCP costs the
// processors. Starts the programs `terrain` and `terrain_mpi`, each of which takes such steps in turns.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <stdexcept>
#include <string>

#include "support/Contest.h"
#include "support/Contests.h"
#include "support/Effort.h"
#include "support/Process.h"
#include "support/Table.h"

using namespace dash::bench;

namespace {

constexpr int units = 2;
constexpr const char* layout = "tcp";
constexpr double wanted_work = 3;
/// Near enough to it: a tile more at most doubles the work. Less of it hides less.
constexpr double least_work = 2;
constexpr double most_work = 4;
constexpr int most_tiles = 4096;
constexpr int most_tries = 8;
constexpr int runs_of_a_try = 5;

/// Nanoseconds of a step.
struct Steps {
  double overlapped = 0;
  double first = 0;  // the exchange before the computation
  double left_out = 0;

  double exchange() const { return first - left_out; }
  /// How much longer the inner work takes.
  double work() const { return left_out / exchange(); }
};

/// Of the line "  <way>   1.23 ms a step, of it ...".
double step_in(const std::string& report, const std::string& way) {
  const std::regex pattern("\n  +" + way + " +([0-9.e+-]+) (us|ms|s) a step, of it");
  std::smatch found;
  if (!std::regex_search(report, found, pattern))
    throw std::runtime_error("no step '" + way + "' in the report of terrain:\n" + report);
  const double ns_of_unit = found[2] == "us" ? 1e3 : found[2] == "ms" ? 1e6 : 1e9;
  return std::stod(found[1]) * ns_of_unit;
}

/// Blocks one above the other: the border does not grow with the number of tiles.
Steps take_steps(const std::string& program, int tiles) {
  const Command command = command_of_units(
      units, layout,
      {"-bind-to", "core", path_of_program(program), "--tile", fmt::format("{},1", tiles),
       "--units-grid", fmt::format("{},1", units), "--steps", "20"});
  const Ended ended = run(command);
  if (ended.code != 0) throw std::runtime_error(command.text() + " failed:\n" + ended.output);
  return {step_in(ended.output, "with overlap"), step_in(ended.output, "without"),
          step_in(ended.output, "no exchange")};
}

double median_work(int tiles) {
  Samples exchange;
  Samples left_out;
  for (int i = 0; i < runs_of_a_try; ++i) {
    const Steps steps = take_steps("terrain", tiles);
    exchange.push_back(steps.exchange());
    left_out.push_back(steps.left_out);
  }
  if (median(exchange) <= 0) throw std::runtime_error("an exchange takes no time");
  return median(left_out) / median(exchange);
}

bool is_near(double work) {
  return least_work <= work && work <= most_work;
}

int tiles_for_work() {
  int tiles = 1;
  for (int i = 0; i < most_tries; ++i) {
    const double work = median_work(tiles);
    if (is_near(work)) return tiles;
    tiles = std::clamp(static_cast<int>(std::lround(tiles * wanted_work / work)), 1, most_tiles);
  }
  return tiles;
}

struct Figures {
  Samples overlapped;
  Samples left_out;
  Samples work;

  void add(const Steps& steps) {
    overlapped.push_back(steps.overlapped);
    left_out.push_back(steps.left_out);
    work.push_back(steps.work());
  }
};

void measure(Table& table) {
  const int tiles = tiles_for_work();
  Figures ours;
  Figures twin;
  for (int round = rounds_at_effort(15); round > 0; --round) {
    const bool in_reverse = round % 2 == 0;
    if (in_reverse) twin.add(take_steps("terrain_mpi", tiles));
    ours.add(take_steps("terrain", tiles));
    if (!in_reverse) twin.add(take_steps("terrain_mpi", tiles));
  }
  const std::string size = fmt::format("{} tiles", tiles);
  // The bar is for that much work; other samples say something else.
  table.add(row_of("step over TCP", size, "exchange left out",
                   outcome_of(ours.overlapped, ours.left_out, {}),
                   is_near(median(ours.work)) ? ratio_at_most(1.10) : Bar{}));
  table.add(row_of("step over TCP, two-sided twin", size, "exchange left out",
                   outcome_of(twin.overlapped, twin.left_out, {})));
  table.add(
      row_of("step over TCP", size, "two-sided", outcome_of(ours.overlapped, twin.overlapped, {})));
  table.note(fmt::format(
      "{} runs; without an exchange a step takes {:.2g} times as long as one, of the twin {:.2g}",
      ours.work.size(), median(ours.work), median(twin.work)));
}

}  // namespace

int main() {
  return run_contests("bench_terrain", [](Contests& contests) { contests.run(measure); });
}
