// dash-bench: serial quick=node starts=lulesh,lulesh_mpi
//
// LULESH, the Sedov blast: ours beside the same computation by MPI alone, and on plain arrays. Starts
// the programs `lulesh` and `lulesh_mpi` that stand next to this one.

#include <fmt/core.h>

#include <string>
#include <vector>

#include "support/Effort.h"
#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

/// What the public reference reaches with one rank at -s 30 on the machine that the aim was set on.
constexpr double reference_rate = 2300;
constexpr double aim = 1.25;

/// Two parts of 30^3 elements. Where the shock has not been yet there is less to compute, for the twins as
/// for ours: by that a cycle of the first few is cheaper than one of a whole run.
const std::string mesh = "30,30,60";
constexpr int most_cycles = 200;

/// Enough for an interval.
constexpr Rounds rounds{7, 80};
/// Of runs to the end, which take ten seconds each.
constexpr Rounds rounds_to_the_end{7, 160};

ProgramRun lulesh(int units, const std::string& layout, std::vector<std::string> arguments) {
  ProgramRun run;
  run.units = units;
  run.layout = layout;
  run.program = "lulesh";
  run.arguments = std::move(arguments);
  run.arguments.emplace_back("-q");
  return run;
}

std::string size_of(int cycles) {
  return fmt::format("{}, {} cycles", mesh, cycles);
}

std::vector<std::string> on_mesh(int cycles) {
  return {"--mesh", mesh, "-i", std::to_string(cycles)};
}

/// One unit on one processor, as the plain loops have. The whole blast, as the reference's figure of merit
/// is of; with quick effort the beginning of it, which is cheaper.
void against_plain_arrays(Table& table) {
  const bool is_whole = effort() == Effort::full;
  const std::string size = is_whole ? "-s 30, 932 cycles" : "-s 30, 100 cycles";
  std::vector<std::string> arguments{"-s", "30"};
  if (!is_whole) arguments.insert(arguments.end(), {"-i", "100", "--repeat", "5"});
  ProgramRun ours = lulesh(1, "node", arguments);
  ours.is_bound = true;
  ProgramContest contest(ours, twins_by_mpi(ours, {"none"}), rounds_to_the_end);
  table.add(contest.total_row("1 unit", size, "none", speed_at_least(0.99)));
  const double rate = contest.rate();
  table.add(with_figures(
      {"1 unit, figure of merit", size, fmt::format("{:.0f}", rate), "aimed at",
       fmt::format("{:.0f}", reference_rate), fmt::format("{:.2f}", rate / reference_rate),
       fmt::format(">= {:.2f}", aim), rate >= aim * reference_rate},
      contest.rates()));
}

void against_twins(Contests& contests, int units, const std::string& layout,
                   const std::vector<std::string>& vias, int cycles, double bar) {
  const ProgramRun ours = lulesh(units, layout, on_mesh(cycles));
  const std::string what = fmt::format("{} units{}", units, layout == "node" ? "" : ", " + layout);
  contests.run([&](Table& table) {
    const ProgramContest contest(ours, twins_by_mpi(ours, vias), rounds);
    contest.add_total_rows(table, what, size_of(cycles), speed_at_least(bar));
  });
}

void against_fewer_units(Table& table) {
  const ProgramRun many = lulesh(8, "node", on_mesh(most_cycles));
  const ProgramRun few = lulesh(2, "node", on_mesh(most_cycles));
  ProgramContest contest(many, {{"2 units", few}}, rounds);
  table.add(contest.total_row("8 units", size_of(most_cycles), speed_at_least(0.8)));
}

void measure(Contests& contests) {
  contests.run(against_plain_arrays);
  against_twins(contests, 2, "node", {"two-sided", "rma", "shared"}, most_cycles, 1.0);
  against_twins(contests, 2, "nolocal", {"two-sided", "rma"}, most_cycles, 0.97);
  contests.run(against_fewer_units);
  against_twins(contests, 8, "node", {"two-sided", "rma", "shared"}, most_cycles, 1.0);
  // The twins take up to twice as long there: fewer cycles.
  against_twins(contests, 8, "nolocal", {"two-sided", "rma"}, 50, 0.97);
  add_scaling_rows(contests, "LULESH, " + mesh, "lulesh",
                   {"--mesh", mesh, "-i", "20", "--repeat", "3", "-q"});
}

}  // namespace

int main() {
  return run_contests("bench_apps_lulesh", measure);
}
