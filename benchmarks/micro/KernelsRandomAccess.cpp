// dash-bench: serial starts=random_access,random_access_mpi
//
// RandomAccess of HPC Challenge: ours beside the same updates by MPI alone. Starts the programs
// `random_access` and `random_access_mpi` that stand next to this one.

#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

/// Words of others one by one: messages between two sides have none of that.
void measure_variant(Table& table, const std::string& variant) {
  const std::string what = "RandomAccess, " + variant;
  ProgramRun ours;
  ours.units = 2;
  ours.program = "random_access";
  ours.arguments = {"-m", "22", "--variant", variant, "--repeat", "5"};
  const ProgramContest on_node(ours, twins_by_mpi(ours, {"shared"}));
  table.add(on_node.total_row(what, "2^22 words", speed_at_least(1.0)));
  // Each of their updates takes a microsecond.
  ours.arguments = {"-m", "14", "--variant", variant, "--repeat", "5"};
  const ProgramContest with_rma(ours, twins_by_mpi(ours, {"rma"}));
  table.add(with_rma.communication_row(what, "2^14 words", "rma", ratio_at_most(0.5)));
  ours.layout = "nolocal";
  const ProgramContest between_nodes(ours, twins_by_mpi(ours, {"rma"}));
  table.add(between_nodes.total_row(what + ", nolocal", "2^14 words", speed_at_least(0.97)));
}

void measure(Table& table) {
  add_kernel_rows(table, "RandomAccess, bucketed", "2^22 words", "random_access",
                  {"-m", "22", "--variant", "bucketed", "--repeat", "5"});
  measure_variant(table, "atomic");
  measure_variant(table, "get-put");
}

}  // namespace

int main() {
  return run_contests("bench_kernels_random_access", measure);
}
