// dash-bench: serial quick=node starts=lulesh,lulesh_mpi
//
// LULESH, the Sedov blast, compared with MPI baselines and with a program on plain arrays. Starts the
// programs `lulesh` and `lulesh_mpi` of the same folder.

#include <fmt/core.h>

#include <string>
#include <vector>

#include "support/KernelRows.h"
#include "support/Sampling.h"

using namespace dash::bench;

namespace {

/// The figure of merit of the public reference code with one rank at -s 30, on the machine for which the
/// goal was set.
constexpr double reference_rate = 2300;
constexpr double required_speedup = 1.25;

/// Two parts of 30^3 elements. Elements that the shock has not reached need less computation, in all
/// programs, so that the first cycles are cheaper than the average of a whole run.
const std::string mesh = "30,30,60";
constexpr int max_cycles = 200;

/// Enough for a confidence interval.
constexpr Rounds rounds{7, 80};
/// For whole blasts, which take ten seconds each.
constexpr Rounds rounds_of_whole_blasts{7, 160};

ProgramRun lulesh_run(int units, const std::string& layout, std::vector<std::string> arguments) {
  ProgramRun run;
  run.units = units;
  run.layout = layout;
  run.program = "lulesh";
  run.arguments = std::move(arguments);
  run.arguments.emplace_back("-q");
  return run;
}

std::string size_text(int cycles) {
  return fmt::format("{}, {} cycles", mesh, cycles);
}

std::vector<std::string> mesh_arguments(int cycles) {
  return {"--mesh", mesh, "-i", std::to_string(cycles)};
}

/// One unit on one processor, like the plain loops. Runs the whole blast, as the figure of merit of the
/// reference is defined; with quick sampling only the first cycles, which are cheaper.
void compare_with_plain_arrays(Table& table) {
  const bool is_whole_blast = sampling() == Sampling::full;
  const std::string size = is_whole_blast ? "-s 30, 932 cycles" : "-s 30, 100 cycles";
  std::vector<std::string> arguments{"-s", "30"};
  if (!is_whole_blast) arguments.insert(arguments.end(), {"-i", "100", "--repeat", "5"});
  ProgramRun ours = lulesh_run(1, "node", arguments);
  ours.is_bound = true;
  ProgramComparison comparison(ours, mpi_baselines(ours, {"none"}), rounds_of_whole_blasts);
  table.add(comparison.total_row("1 unit", size, "none", speed_at_least(0.99)));
  const double rate = comparison.rate();
  table.add(with_figures(
      {"1 unit, figure of merit", size, fmt::format("{:.0f}", rate), "reference code",
       fmt::format("{:.0f}", reference_rate), fmt::format("{:.2f}", rate / reference_rate),
       fmt::format(">= {:.2f}", required_speedup), rate >= required_speedup * reference_rate},
      comparison.rates()));
}

void compare_with_baselines(ComparisonSet& comparisons, int units, const std::string& layout,
                            const std::vector<std::string>& vias, int cycles, double goal) {
  const ProgramRun ours = lulesh_run(units, layout, mesh_arguments(cycles));
  const std::string name = fmt::format("{} units{}", units, layout == "node" ? "" : ", " + layout);
  comparisons.run([&](Table& table) {
    const ProgramComparison comparison(ours, mpi_baselines(ours, vias), rounds);
    comparison.add_total_rows(table, name, size_text(cycles), speed_at_least(goal));
  });
}

void compare_with_fewer_units(Table& table) {
  const ProgramRun many = lulesh_run(8, "node", mesh_arguments(max_cycles));
  const ProgramRun few = lulesh_run(2, "node", mesh_arguments(max_cycles));
  ProgramComparison comparison(many, {{"2 units", few}}, rounds);
  table.add(comparison.total_row("8 units", size_text(max_cycles), speed_at_least(0.8)));
}

void measure(ComparisonSet& comparisons) {
  comparisons.run(compare_with_plain_arrays);
  compare_with_baselines(comparisons, 2, "node", {"two-sided", "rma", "shared"}, max_cycles, 1.0);
  compare_with_baselines(comparisons, 2, "nolocal", {"two-sided", "rma"}, max_cycles, 0.97);
  comparisons.run(compare_with_fewer_units);
  compare_with_baselines(comparisons, 8, "node", {"two-sided", "rma", "shared"}, max_cycles, 1.0);
  // Fewer cycles, since the baselines take up to twice as long with this layout.
  compare_with_baselines(comparisons, 8, "nolocal", {"two-sided", "rma"}, 50, 0.97);
  add_scaling_rows(comparisons, "LULESH, " + mesh, "lulesh",
                   {"--mesh", mesh, "-i", "20", "--repeat", "3", "-q"});
}

}  // namespace

int main() {
  return run_comparisons("bench_apps_lulesh", measure);
}
