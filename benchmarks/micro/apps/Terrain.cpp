// dash-bench: serial quick=node starts=terrain,terrain_mpi
//
// What is left of the time of an exchange that is hidden: steps of the terrain simulation whose inner
// work takes three times as long as their exchange, between two nodes joined by TCP, beside steps
// whose exchange is left out, and beside those of the twins: what their steps take longer is what TCP costs
// the processors. Then steps between nodes without TCP, and on a node. Starts the programs `terrain` and
// `terrain_mpi`, each of which takes steps with and without exchange in turns.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/Contest.h"
#include "support/Contests.h"
#include "support/Effort.h"
#include "support/Table.h"
#include "support/TerrainSteps.h"

using namespace dash::bench;

namespace {

constexpr int units = 2;
constexpr double wanted_work = 3;
/// Near enough to it: a tile more at most doubles the work. Less of it hides less.
constexpr double least_work = 2;
constexpr double most_work = 4;
constexpr int most_tiles = 4096;
constexpr int most_tries = 8;
constexpr int most_corrections = 3;
constexpr int runs_of_a_try = 5;
/// Of a run over TCP, which takes a second or two and may then hang in MPI_Finalize.
constexpr int limit_s = 30;

/// Ours, or a twin, over TCP or on a node.
struct Contestant {
  std::string layout;
  std::string via = {};  // of a twin
};

/// Blocks one above the other: the border does not grow with the number of tiles.
ProgramRun run_of(const Contestant& who, int tiles) {
  ProgramRun run{units,
                 who.layout,
                 "terrain",
                 {"--tile", fmt::format("{},1", tiles), "--units-grid", fmt::format("{},1", units),
                  "--steps", "20", "--verify"}};
  run.is_bound = true;
  if (who.layout == "tcp") run.limit_s = limit_s;
  if (who.via.empty()) return run;
  run.program = "terrain_mpi";
  run.arguments.insert(run.arguments.end(), {"--via", who.via});
  return run;
}

/// How much longer than an exchange the computation takes.
double work_of(const TerrainSteps& steps) {
  return steps.left_out / (steps.first - steps.left_out);
}

double median_work(int tiles) {
  Samples exchange;
  Samples left_out;
  for (int i = 0; i < runs_of_a_try; ++i) {
    const TerrainSteps steps = take_terrain_steps(run_of({"tcp"}, tiles));
    exchange.push_back(steps.first - steps.left_out);
    left_out.push_back(steps.left_out);
  }
  if (median(exchange) <= 0) throw std::runtime_error("an exchange takes no time");
  return median(left_out) / median(exchange);
}

bool is_near(double work) {
  return least_work <= work && work <= most_work;
}

/// The work with as many tiles as have been tried.
using WorkOfTiles = std::map<int, double>;

int nearest(const WorkOfTiles& tried) {
  const auto distance = [](const auto& each) {
    return std::abs(std::log(each.second / wanted_work));
  };
  return std::min_element(tried.begin(), tried.end(),
                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); })
      ->first;
}

int tiles_for_work() {
  WorkOfTiles tried;
  int tiles = 1;
  for (int i = 0; i < most_tries && !tried.contains(tiles); ++i) {
    const double work = tried[tiles] = median_work(tiles);
    tiles = std::clamp(static_cast<int>(std::lround(tiles * wanted_work / work)), 1, most_tiles);
  }
  const int found = nearest(tried);
  for (const int neighbour : {found - 1, found + 1}) {
    if (neighbour >= 1 && !tried.contains(neighbour)) tried[neighbour] = median_work(neighbour);
  }
  return nearest(tried);
}

struct Taken {
  Origin from;
  Samples overlapped;
  Samples left_out;
  Samples work;

  void add(const TerrainSteps& steps) {
    from.progress = steps.progress;
    overlapped.push_back(steps.overlapped);
    left_out.push_back(steps.left_out);
    work.push_back(work_of(steps));
  }
};

/// With what was started for it.
Outcome outcome_from(const Samples& ours, const Taken& our, const Samples& theirs,
                     const Taken& their) {
  Outcome outcome = outcome_of(ours, theirs, {});
  outcome.figures.ours_from = our.from;
  outcome.figures.twin_from = their.from;
  return outcome;
}

/// Of ours, then of each twin, in turns.
std::vector<Taken> take_turns(const std::string& layout, const std::vector<std::string>& vias,
                              int tiles) {
  std::vector<Contestant> contestants;
  contestants.push_back({layout, {}});
  for (const std::string& via : vias)
    contestants.push_back({layout, via});
  std::vector<Taken> taken(contestants.size());
  for (std::size_t i = 0; i < contestants.size(); ++i)
    taken[i].from.command = run_of(contestants[i], tiles).text();
  for (int round = rounds_at_effort(15); round > 0; --round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const std::size_t turn = round % 2 == 0 ? contestants.size() - 1 - i : i;
      taken[turn].add(take_terrain_steps(run_of(contestants[turn], tiles)));
    }
  }
  return taken;
}

/// With the number of tiles that gives ours the work that the bar is for; other samples say something else.
/// The machine may have changed since that was sought.
std::vector<Taken> take_turns_with_work(const std::vector<std::string>& vias, int& tiles) {
  auto taken = take_turns("tcp", vias, tiles);
  for (int i = 0; i < most_corrections; ++i) {
    const double work = median(taken.front().work);
    if (is_near(work) || (work > most_work && tiles == 1)) break;
    tiles += work > most_work ? -1 : 1;
    taken = take_turns("tcp", vias, tiles);
  }
  return taken;
}

void measure_over_tcp(Table& table) {
  // By puts a step takes three times as long there, and MPICH does not always come to its end afterwards.
  const std::vector<std::string> vias{"two-sided"};
  int tiles = tiles_for_work();
  const auto taken = take_turns_with_work(vias, tiles);
  const Taken& ours = taken.front();
  const std::string size = fmt::format("{} tiles", tiles);
  table.add(row_of("step over TCP", size, "exchange left out",
                   outcome_from(ours.overlapped, ours, ours.left_out, ours), ratio_at_most(1.10)));
  const double our_work = median(ours.work);
  std::string text = fmt::format(
      "{} runs; without an exchange a step takes {:.2g} times as long as one{}", ours.work.size(),
      our_work, is_near(our_work) ? "" : fmt::format(", and not {} to {}", least_work, most_work));
  for (std::size_t i = 0; i < vias.size(); ++i) {
    const Taken& twin = taken[i + 1];
    table.add(row_of(fmt::format("step over TCP, {} twin", vias[i]), size, "exchange left out",
                     outcome_from(twin.overlapped, twin, twin.left_out, twin)));
    table.add(row_of("step over TCP", size, vias[i],
                     outcome_from(ours.overlapped, ours, twin.overlapped, twin)));
    text += fmt::format(", of the {} twin {:.2g}", vias[i], median(twin.work));
  }
  table.note(text);
}

/// \param bar  of the best twin
void measure_steps(Table& table, const std::string& what, const std::string& layout,
                   const std::vector<std::string>& vias, const Bar& bar) {
  const auto taken = take_turns(layout, vias, 1);
  const auto best = std::min_element(
      taken.begin() + 1, taken.end(),
      [](const Taken& a, const Taken& b) { return median(a.overlapped) < median(b.overlapped); });
  for (std::size_t i = 0; i < vias.size(); ++i) {
    const Taken& twin = taken[i + 1];
    table.add(row_of(what, "1 tile", vias[i],
                     outcome_from(taken.front().overlapped, taken.front(), twin.overlapped, twin),
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
