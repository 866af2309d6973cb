#include "support/KernelRows.h"

#include <fmt/core.h>

#include "dash/core/Topology.h"
#include "support/Effort.h"

namespace dash::bench {

namespace {

/// A point of a curve needs fewer samples than what a bar is asked of.
constexpr Rounds scaling_rounds{5, 6};
constexpr int scaling_limit_s = 120;

}  // namespace

ProgramRun kernel_run(const std::string& program, const std::vector<std::string>& arguments,
                      int units) {
  ProgramRun run;
  run.units = units;
  run.program = program;
  run.arguments = arguments;
  run.is_bound = run.units <= core::this_thread_affinity().count();
  return run;
}

ProgramRun between_nodes(ProgramRun run) {
  run.layout = "nolocal";
  return run;
}

void add_kernel_rows(Contests& contests, const std::string& what, const std::string& size,
                     const std::string& program, const std::vector<std::string>& arguments,
                     bool has_communication, const std::vector<std::string>& vias) {
  const ProgramRun ours = kernel_run(program, arguments);
  contests.run([&](Table& table) {
    const ProgramContest on_node(ours, twins_by_mpi(ours, vias));
    on_node.add_total_rows(table, what, size, speed_at_least(1.0));
    if (has_communication) {
      table.add(on_node.communication_row(what, size, "rma", ratio_at_most(0.5)));
    }
  });
  if (effort() == Effort::quick) return;
  auto vias_between_nodes = vias;
  std::erase(vias_between_nodes, "shared");
  const ProgramRun far = between_nodes(ours);
  contests.run([&](Table& table) {
    const ProgramContest nolocal(far, twins_by_mpi(far, vias_between_nodes));
    nolocal.add_total_rows(table, what + ", nolocal", size, speed_at_least(0.97));
  });
}

void add_scaling_rows(Contests& contests, const std::string& what, const std::string& program,
                      const std::vector<std::string>& arguments) {
  if (effort() == Effort::quick) return;
  for (const int units : {1, 2, 4, 8}) {
    ProgramRun ours = kernel_run(program, arguments, units);
    ours.limit_s = scaling_limit_s;
    std::vector<std::string> vias{"shared"};
    if (ours.is_bound) vias.emplace_back("two-sided");
    contests.run([&](Table& table) {
      const ProgramContest contest(ours, twins_by_mpi(ours, vias), scaling_rounds);
      const std::string size = fmt::format("{} {}", units, units == 1 ? "unit" : "units");
      for (const std::string& via : vias)
        table.add(contest.total_row(what, size, via));
    });
  }
}

}  // namespace dash::bench
