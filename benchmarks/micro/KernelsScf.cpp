// dash-bench: serial starts=scf,scf_mpi
//
// The task loop of self-consistent-field programs: ours beside the same computation by MPI alone. Starts
// the programs `scf` and `scf_mpi` that stand next to this one.

#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

/// What atomic additions to doubles cost, for which there is no instruction; owners who add what is sent
/// to them need none.
void accumulate_after_each_task(Table& table) {
  ProgramRun ours;
  ours.units = 2;
  ours.program = "scf";
  ours.arguments = {"--accumulate", "task", "--repeat", "7"};
  const std::vector<std::string> vias{"two-sided", "rma", "shared"};
  const ProgramContest contest(ours, twins_by_mpi(ours, vias));
  for (const std::string& via : vias)
    table.add(contest.total_row("SCF, each task added", "96, blocks of 16", via));
}

void measure(Table& table) {
  add_kernel_rows(table, "SCF, dynamic", "96, blocks of 16", "scf", {"--repeat", "7"});
  add_kernel_rows(table, "SCF, static", "96, blocks of 8", "scf",
                  {"--block", "8", "--schedule", "static", "--repeat", "5"});
  accumulate_after_each_task(table);
}

}  // namespace

int main() {
  return run_contests("bench_kernels_scf", measure);
}
