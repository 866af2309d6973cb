// dash-bench: serial set=study starts=scf,scf_mpi,uts,uts_mpi,spmv,spmv_mpi,triangles,triangles_mpi,isx,isx_mpi,lulesh,lulesh_mpi
//
// Programs in which asynchronous progress may matter, with the default progress mode, compared with the other modes,
// with progress processes, and with native MPI, without and with the progress thread of MPICH. `./dev bench --study` runs
// it, together with the benchmarks of a computing target and of overlap.

#include <fmt/core.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "dash/core/Topology.h"
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
  std::vector<std::string> own_arguments = {};  // of the program with DASH
};

std::vector<Subject> subjects() {
  return {
      {"scf", {"--accumulate", "task", "--repeat", "7"}},
      {"scf", {"--accumulate", "task", "--repeat", "7"}, {"--no-polls"}},
      {"uts", {"--tree", "T1", "--depth", "9", "--repeat", "3"}},
      {"uts", {"--tree", "T1", "--depth", "9", "--repeat", "3"}, {"--no-polls"}},
      {"spmv", {"-g", "32,32,32", "--products", "200", "--repeat", "7"}},
      {"triangles", {"-s", "13", "--repeat", "7"}},
      {"isx", {"--mode", "nas", "--class", "W", "--repeat", "11"}},
      {"lulesh", {"--mesh", "30,30,60", "-i", "20", "--repeat", "5", "-q"}},
  };
}

/// \param threads  that poll or compute
const char* text_if_too_few(int threads) {
  return threads <= dash::core::this_thread_affinity().count() ? "" : " (too few processors)";
}

/// Native MPI, and the same with the progress thread of MPICH. It has a separate processor if there are enough.
std::vector<BaselineProgram> native_runs(const ProgramRun& ours) {
  std::vector<BaselineProgram> runs = mpi_baselines(ours, {"two-sided", "rma"});
  for (const std::size_t i : {0, 1}) {
    BaselineProgram run = runs[i];
    run.name += ", MPICH thread";
    run.name += text_if_too_few(2 * units);
    run.run.is_bound = false;  // otherwise, it would share the processor of the unit
    run.run.environment.emplace_back("MPIR_CVAR_ASYNC_PROGRESS=1");
    runs.push_back(run);
  }
  return runs;
}

void compare(ComparisonSet& comparisons, const Subject& subject, const char* layout) {
  ProgramRun kernel = make_kernel_run(subject.program, subject.arguments, units);
  std::vector<BaselineProgram> others = native_runs(with_mode(kernel, layout, "auto"));
  kernel.arguments.insert(kernel.arguments.end(), subject.own_arguments.begin(),
                          subject.own_arguments.end());
  const ProgramRun ours = with_mode(kernel, layout, "auto");
  for (const char* mode : other_modes) {
    const ProgramRun run = with_mode(kernel, layout, mode);
    others.push_back({fmt::format("{}{}", mode, text_if_too_few(run.process_count())), run});
  }
  // As many processors as ours.
  if (layout == std::string_view("node")) {
    kernel.units = units - 1;
    others.push_back({"ranks, one unit less", with_mode(kernel, layout, "ranks")});
  }
  comparisons.run([&](Table& table) {
    const ProgramComparison comparison(ours, others, rounds);
    const std::string name =
        fmt::format("{}{}", subject.program, subject.own_arguments.empty() ? "" : ", no polls");
    comparison.add_total_rows(table, name, fmt::format("{} units, {}", units, layout), Goal{});
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
