// dash-bench: serial quick=node starts=npb_dt,npb_dt_mpi
//
// NPB DT, whole programs: streams through a graph, with a unit for each of its nodes, as the original
// has it, and with two units. Ours against the same by MPI alone.

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/Contests.h"
#include "support/Effort.h"
#include "support/Programs.h"

using namespace dash::bench;

namespace {

struct Case {
  const char* graph;
  const char* size;
  int units;
  int repetitions;
  std::string text() const { return fmt::format("{}.{}, {} units", graph, size, units); }
};

ProgramRun run_of(const Case& which, const char* layout) {
  return {which.units,
          layout,
          "npb_dt",
          {which.graph, "--class", which.size, "--repeat", std::to_string(which.repetitions)}};
}

/// 1.24 is the best that the paper on DASH reports against two-sided MPI, with the graphs that it has.
void measure_unit_a_node(Contests& contests) {
  for (const Case& each :
       {Case{"WH", "W", 11, 9}, Case{"SH", "W", 32, 9}, Case{"WH", "A", 21, 9},
        Case{"SH", "A", 80, 5}, Case{"BH", "W", 11, 9}, Case{"BH", "A", 21, 9}}) {
    const ProgramRun ours = run_of(each, "node");
    const bool is_in_paper = std::string_view(each.graph) != "BH";
    contests.run([&](Table& table) {
      const ProgramContest contest(ours, twins_by_mpi(ours, {"two-sided", "shared"}));
      table.add(contest.total_row("unit a node", each.text(), "two-sided",
                                  is_in_paper ? speed_at_least(1.24) : Bar{}));
      table.add(contest.total_row("unit a node", each.text(), "shared"));
    });
  }
}

/// The same where units share no memory.
void measure_unit_a_node_apart(Contests& contests) {
  for (const Case& each :
       {Case{"WH", "W", 11, 9}, Case{"SH", "W", 32, 5}, Case{"WH", "A", 21, 3},
        Case{"SH", "A", 80, 3}, Case{"BH", "W", 11, 9}, Case{"BH", "A", 21, 3}}) {
    const ProgramRun ours = run_of(each, "nolocal");
    contests.run([&](Table& table) {
      const ProgramContest contest(ours, twins_by_mpi(ours, {"two-sided", "rma"}));
      contest.add_total_rows(table, "unit a node, nolocal", each.text(), speed_at_least(0.97));
    });
  }
}

void measure_two_units(Contests& contests, const char* layout,
                       const std::vector<std::string>& twins, double least) {
  std::vector<Case> cases{Case{"SH", "W", 2, 30}, Case{"WH", "W", 2, 60}, Case{"BH", "W", 2, 60},
                          Case{"SH", "A", 2, 9},  Case{"WH", "A", 2, 15}, Case{"BH", "A", 2, 15}};
  if (effort() == Effort::quick) cases.resize(2);
  for (const Case& each : cases) {
    const ProgramRun ours = run_of(each, layout);
    contests.run([&](Table& table) {
      const ProgramContest contest(ours, twins_by_mpi(ours, twins));
      contest.add_total_rows(table, layout, each.text(), speed_at_least(least));
    });
  }
}

void measure(Contests& contests) {
  if (effort() == Effort::full) {
    measure_unit_a_node(contests);
    measure_unit_a_node_apart(contests);
  }
  measure_two_units(contests, "node", {"two-sided", "rma", "shared"}, 1.0);
  measure_two_units(contests, "nolocal", {"two-sided", "rma"}, 0.97);
}

}  // namespace

int main() {
  return run_contests("bench_apps_npb_dt", measure);
}
