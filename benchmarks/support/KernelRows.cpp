#include "support/KernelRows.h"

#include <fmt/core.h>

#include "dash/core/Topology.h"
#include "support/Sampling.h"

namespace dash::bench {

namespace {

/// A point of a curve needs fewer samples than a row with a goal.
constexpr Rounds scaling_rounds{5, 6};
constexpr int limit_s = 120;

}  // namespace

ProgramRun make_kernel_run(const std::string& program, const std::vector<std::string>& arguments,
                           int units) {
  ProgramRun run;
  run.units = units;
  run.program = program;
  run.arguments = arguments;
  run.is_bound = run.units <= core::this_thread_affinity().count();
  return run;
}

ProgramRun on_separate_nodes(ProgramRun run) {
  run.layout = "nolocal";
  return run;
}

ProgramRun with_mode(ProgramRun run, const std::string& layout, const std::string& mode) {
  run.layout = layout;
  run.progress = mode;
  run.limit_s = limit_s;
  run.is_bound = run.process_count() <= core::this_thread_affinity().count();
  return run;
}

void add_kernel_rows(ComparisonSet& comparisons, const std::string& name, const std::string& size,
                     const std::string& program, const std::vector<std::string>& arguments,
                     bool has_communication, const std::vector<std::string>& vias) {
  const ProgramRun ours = make_kernel_run(program, arguments);
  comparisons.run([&](Table& table) {
    const ProgramComparison on_node(ours, mpi_baselines(ours, vias));
    on_node.add_total_rows(table, name, size, speed_at_least(1.0));
    if (has_communication) {
      table.add(on_node.communication_row(name, size, "rma", ratio_at_most(0.5)));
    }
  });
  if (sampling() == Sampling::quick) return;
  auto vias_between_nodes = vias;
  std::erase(vias_between_nodes, "shared");
  const ProgramRun separate = on_separate_nodes(ours);
  comparisons.run([&](Table& table) {
    const ProgramComparison between_nodes(separate, mpi_baselines(separate, vias_between_nodes));
    between_nodes.add_total_rows(table, name + ", nolocal", size, speed_at_least(0.97));
  });
}

void add_scaling_rows(ComparisonSet& comparisons, const std::string& name,
                      const std::string& program, const std::vector<std::string>& arguments) {
  if (sampling() == Sampling::quick) return;
  for (const int units : {1, 2, 4, 8}) {
    ProgramRun ours = make_kernel_run(program, arguments, units);
    ours.limit_s = limit_s;
    std::vector<std::string> vias{"shared"};
    if (ours.is_bound) vias.emplace_back("two-sided");
    comparisons.run([&](Table& table) {
      const ProgramComparison comparison(ours, mpi_baselines(ours, vias), scaling_rounds);
      const std::string size = fmt::format("{} {}", units, units == 1 ? "unit" : "units");
      for (const std::string& via : vias)
        table.add(comparison.total_row(name, size, via));
    });
  }
}

}  // namespace dash::bench
