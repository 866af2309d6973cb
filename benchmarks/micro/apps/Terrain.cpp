// dash-bench: serial quick=node starts=terrain,terrain_mpi
//
// Steps of the terrain simulation between two nodes over TCP, whose inner computation takes three times as
// long as their exchange, compared with steps without exchange. The difference is the part that is
// not hidden. Likewise the baselines, where it shows the processor time that TCP takes. Then steps
// between nodes without TCP, and on a node.
//
// Starts the programs `terrain` and `terrain_mpi`, each of which interleaves steps with and without exchange.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/Comparison.h"
#include "support/ComparisonSet.h"
#include "support/Sampling.h"
#include "support/Table.h"
#include "support/TerrainSteps.h"

using namespace dash::bench;

namespace {

constexpr int units = 2;
/// The intended time of the computation divided by that of the exchange, and its accepted range. One more
/// tile at most doubles the ratio; a smaller ratio hides less of the exchange.
constexpr double intended_work_ratio = 3;
constexpr double min_work_ratio = 2;
constexpr double max_work_ratio = 4;
constexpr int max_tiles = 4096;
constexpr int max_tries = 8;
constexpr int max_corrections = 3;
constexpr int runs_per_try = 5;
/// The time limit of a run over TCP, which takes a second or two and may then hang in MPI_Finalize.
constexpr int limit_s = 30;

/// Our program or a baseline, with a layout.
struct Variant {
  std::string layout;
  std::string via = {};  // the exchange method of a baseline; empty: ours
};

/// The blocks form a column, so that the border does not grow with the number of tiles.
ProgramRun run_of(const Variant& variant, int tiles) {
  ProgramRun run{.units = units,
                 .layout = variant.layout,
                 .program = "terrain",
                 .arguments = {"--tile", fmt::format("{},1", tiles), "--units-grid",
                               fmt::format("{},1", units), "--steps", "20", "--verify"},
                 .is_bound = true};
  if (variant.layout == "tcp") run.limit_s = limit_s;
  if (variant.via.empty()) return run;
  run.program = "terrain_mpi";
  run.arguments.insert(run.arguments.end(), {"--via", variant.via});
  return run;
}

/// \returns the time of the computation divided by that of an exchange
double work_ratio_of(const TerrainSteps& steps) {
  return steps.without_exchange / (steps.exchange_first - steps.without_exchange);
}

double median_work_ratio(int tiles) {
  Samples exchange;
  Samples without_exchange;
  for (int i = 0; i < runs_per_try; ++i) {
    const TerrainSteps steps = measure_terrain_steps(run_of({"tcp"}, tiles));
    exchange.push_back(steps.exchange_first - steps.without_exchange);
    without_exchange.push_back(steps.without_exchange);
  }
  if (median(exchange) <= 0) throw std::runtime_error("an exchange takes no time");
  return median(without_exchange) / median(exchange);
}

bool is_accepted(double work_ratio) {
  return min_work_ratio <= work_ratio && work_ratio <= max_work_ratio;
}

/// The work ratios of the numbers of tiles that have been tried.
using WorkRatios = std::map<int, double>;

int nearest_tiles(const WorkRatios& tried) {
  const auto distance = [](const auto& each) {
    return std::abs(std::log(each.second / intended_work_ratio));
  };
  return std::min_element(tried.begin(), tried.end(),
                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); })
      ->first;
}

int find_tiles() {
  WorkRatios tried;
  int tiles = 1;
  for (int i = 0; i < max_tries && !tried.contains(tiles); ++i) {
    const double work_ratio = tried[tiles] = median_work_ratio(tiles);
    tiles = std::clamp(static_cast<int>(std::lround(tiles * intended_work_ratio / work_ratio)), 1,
                       max_tiles);
  }
  const int found = nearest_tiles(tried);
  for (const int neighbour : {found - 1, found + 1}) {
    if (neighbour >= 1 && !tried.contains(neighbour))
      tried[neighbour] = median_work_ratio(neighbour);
  }
  return nearest_tiles(tried);
}

/// The samples of a variant.
struct VariantSamples {
  Origin origin;
  Samples overlapped;
  Samples without_exchange;
  Samples work_ratio;

  void add(const TerrainSteps& steps) {
    origin.progress = steps.progress;
    overlapped.push_back(steps.overlapped);
    without_exchange.push_back(steps.without_exchange);
    work_ratio.push_back(work_ratio_of(steps));
  }
};

/// Compares samples; the outcome contains the commands.
Outcome make_outcome(const Samples& ours, const VariantSamples& our, const Samples& theirs,
                     const VariantSamples& their) {
  Outcome outcome = compare_samples(ours, theirs, {});
  outcome.figures.ours_origin = our.origin;
  outcome.figures.baseline_origin = their.origin;
  return outcome;
}

/// Takes samples of our program and of each baseline, interleaved. The first element of the result is ours.
std::vector<VariantSamples> sample_variants(const std::string& layout,
                                            const std::vector<std::string>& vias, int tiles) {
  std::vector<Variant> variants;
  variants.push_back({layout, {}});
  for (const std::string& via : vias)
    variants.push_back({layout, via});
  std::vector<VariantSamples> samples(variants.size());
  for (std::size_t i = 0; i < variants.size(); ++i)
    samples[i].origin.command = run_of(variants[i], tiles).text();
  for (int round = scaled_rounds(15); round > 0; --round) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const std::size_t next = round % 2 == 0 ? variants.size() - 1 - i : i;
      samples[next].add(measure_terrain_steps(run_of(variants[next], tiles)));
    }
  }
  return samples;
}

/// Takes samples with a number of tiles for which the work ratio of our program is in the accepted range;
/// the goal applies only to such samples. Corrects the number if the machine has changed since
/// find_tiles().
/// \param tiles  the number of tiles to start with; receives the final one
std::vector<VariantSamples> sample_with_work_ratio(const std::vector<std::string>& vias,
                                                   int& tiles) {
  auto samples = sample_variants("tcp", vias, tiles);
  for (int i = 0; i < max_corrections; ++i) {
    const double work_ratio = median(samples.front().work_ratio);
    if (is_accepted(work_ratio) || (work_ratio > max_work_ratio && tiles == 1)) break;
    tiles += work_ratio > max_work_ratio ? -1 : 1;
    samples = sample_variants("tcp", vias, tiles);
  }
  return samples;
}

void measure_over_tcp(Table& table) {
  // No RMA baseline: with puts over TCP a step takes three times as long, and MPICH does not always
  // terminate.
  const std::vector<std::string> vias{"two-sided"};
  int tiles = find_tiles();
  const auto samples = sample_with_work_ratio(vias, tiles);
  const VariantSamples& ours = samples.front();
  const std::string size = fmt::format("{} tiles", tiles);
  table.add(make_row("step over TCP", size, "without exchange",
                     make_outcome(ours.overlapped, ours, ours.without_exchange, ours),
                     ratio_at_most(1.10)));
  const double our_ratio = median(ours.work_ratio);
  std::string text = fmt::format(
      "{} runs; a step without exchange takes {:.2g} times as long as an exchange{}",
      ours.work_ratio.size(), our_ratio,
      is_accepted(our_ratio)
          ? ""
          : fmt::format(", which is not in the range {} to {}", min_work_ratio, max_work_ratio));
  for (std::size_t i = 0; i < vias.size(); ++i) {
    const VariantSamples& baseline = samples[i + 1];
    table.add(
        make_row(fmt::format("step over TCP, {} baseline", vias[i]), size, "without exchange",
                 make_outcome(baseline.overlapped, baseline, baseline.without_exchange, baseline)));
    table.add(make_row("step over TCP", size, vias[i],
                       make_outcome(ours.overlapped, ours, baseline.overlapped, baseline)));
    text +=
        fmt::format("; with the {} baseline {:.2g} times", vias[i], median(baseline.work_ratio));
  }
  table.add_note(text);
}

/// \param goal  applies to the comparison with the best baseline
void measure_steps(Table& table, const std::string& name, const std::string& layout,
                   const std::vector<std::string>& vias, const Goal& goal) {
  const auto samples = sample_variants(layout, vias, 1);
  const auto best = std::min_element(samples.begin() + 1, samples.end(),
                                     [](const VariantSamples& a, const VariantSamples& b) {
                                       return median(a.overlapped) < median(b.overlapped);
                                     });
  for (std::size_t i = 0; i < vias.size(); ++i) {
    const VariantSamples& baseline = samples[i + 1];
    table.add(make_row(
        name, "1 tile", vias[i],
        make_outcome(samples.front().overlapped, samples.front(), baseline.overlapped, baseline),
        &baseline == &*best ? goal : Goal{}));
  }
}

void measure(ComparisonSet& comparisons) {
  if (sampling() == Sampling::full) comparisons.run(measure_over_tcp);
  comparisons.run([](Table& table) {
    measure_steps(table, "step, nolocal", "nolocal", {"two-sided", "rma"}, speed_at_least(0.97));
  });
  comparisons.run([](Table& table) {
    measure_steps(table, "step on a node", "node", {"two-sided", "rma", "shared"}, {});
  });
}

}  // namespace

int main() {
  return run_comparisons("bench_terrain", measure);
}
