// dash-bench: serial set=study starts=scf,scf_mpi,spmv,spmv_mpi,triangles,triangles_mpi,isx,isx_mpi,lulesh,lulesh_mpi
//
// Programs in which asynchronous progress may matter, with the default progress mode, compared with the other modes,
// with progress processes, and with native MPI, without and with the progress thread of MPICH. `./dev bench --study` runs
// it, together with the benchmarks of a computing target and of overlap.

#include <fmt/core.h>

#include <array>
#include <string>
#include <vector>

#include "support/Comparison.h"
#include "support/ComparisonSet.h"
#include "support/KernelRows.h"
#include "support/ProgramComparison.h"

using namespace dash::bench;

namespace {

constexpr Rounds rounds{7, 60};
constexpr int units = 2;
constexpr std::array other_modes{"thread", "poll", "ranks"};

struct Subject {
  const char* program;
  std::vector<std::string> arguments;
};

std::vector<Subject> subjects() {
  return {
      {"scf", {"--accumulate", "task", "--repeat", "7"}},
      {"spmv", {"-g", "32,32,32", "--products", "200", "--repeat", "7"}},
      {"triangles", {"-s", "13", "--repeat", "7"}},
      {"isx", {"--mode", "nas", "--class", "W", "--repeat", "11"}},
      {"lulesh", {"--mesh", "30,30,60", "-i", "20", "--repeat", "5", "-q"}},
  };
}

/// Native MPI, and the same with the progress thread of MPICH, which takes a separate processor or shares one.
std::vector<BaselineProgram> native_runs(const ProgramRun& ours) {
  std::vector<BaselineProgram> runs = mpi_baselines(ours, {"two-sided", "rma"});
  for (const std::size_t i : {0, 1}) {
    BaselineProgram run = runs[i];
    run.name += ", MPICH thread";
    run.run.environment.emplace_back("MPIR_CVAR_ASYNC_PROGRESS=1");
    runs.push_back(run);
  }
  return runs;
}

void compare(ComparisonSet& comparisons, const Subject& subject, const char* layout) {
  const ProgramRun kernel = make_kernel_run(subject.program, subject.arguments, units);
  const ProgramRun ours = with_mode(kernel, layout, "auto");
  std::vector<BaselineProgram> others = native_runs(ours);
  for (const char* mode : other_modes) {
    const ProgramRun run = with_mode(kernel, layout, mode);
    others.push_back({fmt::format("{}{}", mode, run.is_bound ? "" : " (too few processors)"), run});
  }
  comparisons.run([&](Table& table) {
    const ProgramComparison comparison(ours, others, rounds);
    comparison.add_total_rows(table, subject.program, fmt::format("{} units, {}", units, layout),
                              Goal{});
  });
}

}  // namespace

int main() {
  return run_comparisons("bench_progress_study", [&](ComparisonSet& comparisons) {
    for (const char* layout : {"node", "nolocal"}) {
      for (const Subject& subject : subjects())
        compare(comparisons, subject, layout);
    }
  });
}
