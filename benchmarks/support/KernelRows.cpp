#include "support/KernelRows.h"

namespace dash::bench {

void add_kernel_rows(Table& table, const std::string& what, const std::string& size,
                     const std::string& program, const std::vector<std::string>& arguments,
                     bool has_communication) {
  ProgramRun ours;
  ours.units = 2;
  ours.program = program;
  ours.arguments = arguments;
  const ProgramContest on_node(ours, twins_by_mpi(ours, {"two-sided", "rma", "shared"}));
  table.add(on_node.total_row(what, size, speed_at_least(1.0)));
  if (has_communication) {
    table.add(on_node.communication_row(what + ", communication", size, "rma", ratio_at_most(0.5)));
  }
  ours.layout = "nolocal";
  const ProgramContest between_nodes(ours, twins_by_mpi(ours, {"two-sided", "rma"}));
  table.add(between_nodes.total_row(what + ", nolocal", size, speed_at_least(0.97)));
}

}  // namespace dash::bench
