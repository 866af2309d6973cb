// dash-bench: serial quick=node starts=npb_dt,npb_dt_mpi
//
// Runs NPB DT as whole programs: with one unit per node of the graph, as in the original, and with
// two units in total. Compares them with MPI baselines.

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/ComparisonSet.h"
#include "support/ProgramComparison.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

struct Problem {
  const char* graph;
  const char* size;
  int units;
  int repetitions;
  std::string text() const { return fmt::format("{}.{}, {} units", graph, size, units); }
};

ProgramRun run_of(const Problem& problem, const char* layout) {
  return {.units = problem.units,
          .layout = layout,
          .program = "npb_dt",
          .arguments = {problem.graph, "--class", problem.size, "--repeat",
                        std::to_string(problem.repetitions)}};
}

/// The paper on DASH reports a speedup of up to 1.24 over two-sided MPI, with the graphs WH and SH.
void measure_unit_per_graph_node(ComparisonSet& comparisons) {
  for (const Problem& each :
       {Problem{"WH", "W", 11, 9}, Problem{"SH", "W", 32, 9}, Problem{"WH", "A", 21, 9},
        Problem{"SH", "A", 80, 5}, Problem{"BH", "W", 11, 9}, Problem{"BH", "A", 21, 9}}) {
    const ProgramRun ours = run_of(each, "node");
    const bool is_in_paper = std::string_view(each.graph) != "BH";
    comparisons.run([&](Table& table) {
      const ProgramComparison comparison(ours, mpi_baselines(ours, {"two-sided", "shared"}));
      table.add(comparison.total_row("one unit per graph node", each.text(), "two-sided",
                                     is_in_paper ? speed_at_least(1.24) : Goal{}));
      table.add(comparison.total_row("one unit per graph node", each.text(), "shared"));
    });
  }
}

/// The same without shared memory between the units.
void measure_unit_per_graph_node_nolocal(ComparisonSet& comparisons) {
  for (const Problem& each :
       {Problem{"WH", "W", 11, 9}, Problem{"SH", "W", 32, 5}, Problem{"WH", "A", 21, 3},
        Problem{"SH", "A", 80, 3}, Problem{"BH", "W", 11, 9}, Problem{"BH", "A", 21, 3}}) {
    const ProgramRun ours = run_of(each, "nolocal");
    comparisons.run([&](Table& table) {
      const ProgramComparison comparison(ours, mpi_baselines(ours, {"two-sided", "rma"}));
      comparison.add_total_rows(table, "one unit per graph node, nolocal", each.text(),
                                speed_at_least(0.97));
    });
  }
}

void measure_two_units(ComparisonSet& comparisons, const char* name, const char* layout,
                       const std::vector<std::string>& baselines, double min_speedup) {
  std::vector<Problem> cases{Problem{"SH", "W", 2, 30}, Problem{"WH", "W", 2, 60},
                             Problem{"BH", "W", 2, 60}, Problem{"SH", "A", 2, 9},
                             Problem{"WH", "A", 2, 15}, Problem{"BH", "A", 2, 15}};
  if (sampling() == Sampling::quick) cases.resize(2);
  for (const Problem& each : cases) {
    const ProgramRun ours = run_of(each, layout);
    comparisons.run([&](Table& table) {
      const ProgramComparison comparison(ours, mpi_baselines(ours, baselines));
      comparison.add_total_rows(table, name, each.text(), speed_at_least(min_speedup));
    });
  }
}

void measure(ComparisonSet& comparisons) {
  if (sampling() == Sampling::full) {
    measure_unit_per_graph_node(comparisons);
    measure_unit_per_graph_node_nolocal(comparisons);
  }
  measure_two_units(comparisons, "two units", "node", {"two-sided", "rma", "shared"}, 1.0);
  measure_two_units(comparisons, "two units, nolocal", "nolocal", {"two-sided", "rma"}, 0.97);
}

}  // namespace

int main() {
  return run_comparisons("bench_apps_npb_dt", measure);
}
