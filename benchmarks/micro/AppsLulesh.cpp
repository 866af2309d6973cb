// dash-bench: serial quick=node starts=lulesh,lulesh_mpi
//
// LULESH, the Sedov blast: ours beside the same computation by MPI alone, and on plain arrays. Starts
// the programs `lulesh` and `lulesh_mpi` that stand next to this one.

#include <fmt/core.h>

#include <string>
#include <vector>

#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

/// What the public reference reaches with one rank at -s 30 on the machine that the aim was set on.
constexpr double reference_rate = 2300;
constexpr double aim = 1.25;

/// Two parts of 30^3 elements; the blast is small yet, which makes no difference to the work.
const std::string mesh = "30,30,60";

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

std::vector<std::string> on_mesh(int cycles, int repeat) {
  return {"--mesh", mesh, "-i", std::to_string(cycles), "--repeat", std::to_string(repeat)};
}

/// One unit on one processor, as the plain loops have.
void against_plain_arrays(Table& table) {
  ProgramRun ours = lulesh(1, "node", {"-s", "30", "-i", "100", "--repeat", "5"});
  ours.is_bound = true;
  ProgramContest contest(ours, twins_by_mpi(ours, {"none"}));
  table.add(contest.total_row("1 unit", "-s 30", "none", speed_at_least(0.99)));
  const double rate = contest.rate();
  table.add({"1 unit, figure of merit", "-s 30", fmt::format("{:.0f}", rate), "aimed at",
             fmt::format("{:.0f}", reference_rate), fmt::format("{:.2f}", rate / reference_rate),
             fmt::format(">= {:.2f}", aim), rate >= aim * reference_rate});
}

void against_twins(Contests& contests, int units, const std::string& layout,
                   const std::vector<std::string>& vias, int cycles, double bar) {
  const ProgramRun ours = lulesh(units, layout, on_mesh(cycles, 3));
  const std::string what = fmt::format("{} units{}", units, layout == "node" ? "" : ", " + layout);
  contests.run([&](Table& table) {
    const ProgramContest contest(ours, twins_by_mpi(ours, vias));
    contest.add_total_rows(table, what, size_of(cycles), speed_at_least(bar));
  });
}

void against_fewer_units(Table& table) {
  constexpr int cycles = 50;
  const ProgramRun many = lulesh(8, "node", on_mesh(cycles, 3));
  const ProgramRun few = lulesh(2, "node", on_mesh(cycles, 3));
  ProgramContest contest(many, {{"2 units", few}});
  table.add(contest.total_row("8 units", size_of(cycles), speed_at_least(0.8)));
}

void measure(Contests& contests) {
  contests.run(against_plain_arrays);
  against_twins(contests, 2, "node", {"two-sided", "rma", "shared"}, 50, 1.0);
  against_twins(contests, 2, "nolocal", {"two-sided", "rma"}, 50, 0.97);
  contests.run(against_fewer_units);
  against_twins(contests, 8, "node", {"two-sided", "rma", "shared"}, 50, 1.0);
  // The twins spin while they wait: few cycles.
  against_twins(contests, 8, "nolocal", {"two-sided", "rma"}, 3, 0.97);
  add_scaling_rows(contests, "LULESH, " + mesh, "lulesh",
                   {"--mesh", mesh, "-i", "20", "--repeat", "3", "-q"});
}

}  // namespace

int main() {
  return run_contests("bench_apps_lulesh", measure);
}
