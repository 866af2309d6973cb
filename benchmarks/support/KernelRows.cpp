#include "support/KernelRows.h"

#include "dash/core/Topology.h"
#include "support/Effort.h"

namespace dash::bench {

ProgramRun kernel_run(const std::string& program, const std::vector<std::string>& arguments) {
  ProgramRun run;
  run.units = 2;
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
    table.add(on_node.total_row(what, size, speed_at_least(1.0)));
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
    table.add(nolocal.total_row(what + ", nolocal", size, speed_at_least(0.97)));
  });
}

}  // namespace dash::bench
