// dash-bench: serial quick=node starts=terrain,terrain_mpi
//
// What is left of the time of an exchange that is hidden: steps of the terrain simulation whose inner
// work takes three times as long as their exchange, between two nodes joined by TCP, beside steps
// whose exchange is left out, and beside those of the twins: what their steps take longer is what TCP costs
// the processors. Then steps between nodes without TCP, and on a node. Starts the programs `terrain` and `terrain_mpi`, each of which
// takes steps with and without exchange in turns.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/Contest.h"
#include "support/Contests.h"
#include "support/Effort.h"
#include "support/Process.h"
#include "support/Table.h"

using namespace dash::bench;

namespace {

constexpr int units = 2;
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

/// Ours, or a twin, over TCP or on a node.
struct Contestant {
  std::string layout;
  std::string via = {};  // of a twin
};

/// Blocks one above the other: the border does not grow with the number of tiles.
Steps take_steps(const Contestant& who, int tiles) {
  Command command = command_of_units(
      units, who.layout,
      {"-bind-to", "core", path_of_program(who.via.empty() ? "terrain" : "terrain_mpi"), "--tile",
       fmt::format("{},1", tiles), "--units-grid", fmt::format("{},1", units), "--steps", "20",
       "--verify"});
  if (!who.via.empty()) command.words.insert(command.words.end(), {"--via", who.via});
  const Ended ended = run(command);
  if (ended.code != 0) throw std::runtime_error(command.text() + " failed:\n" + ended.output);
  return {step_in(ended.output, "with overlap"), step_in(ended.output, "without"),
          step_in(ended.output, "no exchange")};
}

double median_work(int tiles) {
  Samples exchange;
  Samples left_out;
  for (int i = 0; i < runs_of_a_try; ++i) {
    const Steps steps = take_steps({"tcp", {}}, tiles);
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

/// Of ours, then of each twin, in turns.
std::vector<Figures> take_turns(const std::string& layout, const std::vector<std::string>& vias,
                                int tiles) {
  std::vector<Contestant> contestants;
  contestants.push_back({layout, {}});
  for (const std::string& via : vias)
    contestants.push_back({layout, via});
  std::vector<Figures> figures(contestants.size());
  for (int round = rounds_at_effort(15); round > 0; --round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const std::size_t turn = round % 2 == 0 ? contestants.size() - 1 - i : i;
      figures[turn].add(take_steps(contestants[turn], tiles));
    }
  }
  return figures;
}

void measure_over_tcp(Table& table) {
  const std::vector<std::string> vias{"two-sided", "rma"};
  const int tiles = tiles_for_work();
  const auto figures = take_turns("tcp", vias, tiles);
  const Figures& ours = figures.front();
  const std::string size = fmt::format("{} tiles", tiles);
  // The bar is for that much work; other samples say something else.
  table.add(row_of("step over TCP", size, "exchange left out",
                   outcome_of(ours.overlapped, ours.left_out, {}),
                   is_near(median(ours.work)) ? ratio_at_most(1.10) : Bar{}));
  std::string work =
      fmt::format("{} runs; without an exchange a step takes {:.2g} times as long as one",
                  ours.work.size(), median(ours.work));
  for (std::size_t i = 0; i < vias.size(); ++i) {
    const Figures& twin = figures[i + 1];
    table.add(row_of(fmt::format("step over TCP, {} twin", vias[i]), size, "exchange left out",
                     outcome_of(twin.overlapped, twin.left_out, {})));
    table.add(
        row_of("step over TCP", size, vias[i], outcome_of(ours.overlapped, twin.overlapped, {})));
    work += fmt::format(", of the {} twin {:.2g}", vias[i], median(twin.work));
  }
  table.note(work);
}

/// \param bar  of the best twin
void measure_steps(Table& table, const std::string& what, const std::string& layout,
                   const std::vector<std::string>& vias, const Bar& bar) {
  const auto figures = take_turns(layout, vias, 1);
  const auto best =
      std::min_element(figures.begin() + 1, figures.end(), [](const Figures& a, const Figures& b) {
        return median(a.overlapped) < median(b.overlapped);
      });
  for (std::size_t i = 0; i < vias.size(); ++i) {
    const Figures& twin = figures[i + 1];
    table.add(row_of(what, "1 tile", vias[i],
                     outcome_of(figures.front().overlapped, twin.overlapped, {}),
                     &twin == &*best ? bar : Bar{}));
  }
}

void measure(Contests& contests) {
  if (effort() == Effort::full) contests.run(measure_over_tcp);
  contests.run([](Table& table) {
    measure_steps(table, "step, nolocal", "nolocal", {"two-sided", "rma"}, speed_at_least(0.97));
  });
  contests.run([](Table& table) {
    measure_steps(table, "step on a node", "node", {"two-sided", "rma", "shared"}, {});
  });
}

}  // namespace

int main() {
  return run_contests("bench_terrain", measure);
}
