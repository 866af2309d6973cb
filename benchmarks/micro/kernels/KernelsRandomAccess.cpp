// dash-bench: serial quick=node starts=random_access,random_access_mpi
//
// RandomAccess of HPC Challenge: ours beside the same updates by MPI alone. Starts the programs
// `random_access` and `random_access_mpi` that stand next to this one.

#include "support/Effort.h"
#include "support/KernelRows.h"

using namespace dash::bench;

namespace {

/// Words of others one by one: messages between two sides have none of that.
void measure_variant(Contests& contests, const std::string& variant) {
  const std::string what = "RandomAccess, " + variant;
  const auto arguments = [&](const char* log2_size) {
    return std::vector<std::string>{"-m", log2_size, "--variant", variant, "--repeat", "5"};
  };
  const ProgramRun ours = kernel_run("random_access", arguments("22"));
  contests.run([&](Table& table) {
    const ProgramContest on_node(ours, twins_by_mpi(ours, {"shared"}));
    table.add(on_node.total_row(what, "2^22 words", speed_at_least(1.0)));
  });
  // Each of their updates takes some tenths of a microsecond.
  const ProgramRun smaller = kernel_run("random_access", arguments("20"));
  contests.run([&](Table& table) {
    const ProgramContest with_rma(smaller, twins_by_mpi(smaller, {"rma"}));
    table.add(with_rma.communication_row(what, "2^20 words", "rma", ratio_at_most(0.5)));
  });
  const ProgramRun far = between_nodes(smaller);
  contests.run([&](Table& table) {
    const ProgramContest nolocal(far, twins_by_mpi(far, {"rma"}));
    table.add(nolocal.total_row(what + ", nolocal", "2^20 words", speed_at_least(0.97)));
  });
}

void measure(Contests& contests) {
  add_kernel_rows(contests, "RandomAccess, bucketed", "2^22 words", "random_access",
                  {"-m", "22", "--variant", "bucketed", "--repeat", "5"});
  if (effort() == Effort::quick) return;
  measure_variant(contests, "atomic");
  measure_variant(contests, "get-put");
  add_scaling_rows(contests, "RandomAccess, bucketed, 2^20 words", "random_access",
                   {"-m", "20", "--variant", "bucketed", "--repeat", "3"});
}

}  // namespace

int main() {
  return run_contests("bench_kernels_random_access", measure);
}
