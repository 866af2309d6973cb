// dash-bench: serial starts=min_element,min_element_mpi
//
// min_element over array sizes: ours beside a plain loop that only reads the elements, and beside the
// same by MPI alone. Starts the programs `min_element` and `min_element_mpi` that stand next to this
// one. The curve as a whole is in bench_algorithms_min_element.

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/Programs.h"

using namespace dash::bench;

namespace {

/// Calls that read about a gigabyte, and not too many of small arrays.
std::vector<std::string> calls_of(int log2) {
  const long calls = std::clamp(1L << 28 >> log2, 2L, 2000L);
  return {"--elements", fmt::format("{}", log2), "--calls", fmt::format("{}", calls), "--repeat",
          "5"};
}

void against_reading(Table& table, int log2) {
  ProgramRun ours;
  ours.units = 2;
  ours.program = "min_element";
  ours.arguments = calls_of(log2);
  ProgramRun reading = ours;
  reading.arguments.emplace_back("--read");
  const ProgramContest contest(ours, {{"plain read loop", reading}});
  table.add(contest.total_row("min_element", fmt::format("2^{} ints", log2), speed_at_least(0.95)));
}

/// Small arrays: what it costs that units agree.
void against_twins(Table& table, int log2, const std::string& layout,
                   const std::vector<std::string>& vias) {
  ProgramRun ours;
  ours.units = 2;
  ours.layout = layout;
  ours.program = "min_element";
  ours.arguments = calls_of(log2);
  const ProgramContest contest(ours, twins_by_mpi(ours, vias));
  const std::string what = layout == "node" ? "min_element" : "min_element, " + layout;
  for (const std::string& via : vias)
    table.add(contest.total_row(what, fmt::format("2^{} ints", log2), via));
}

void measure(Table& table) {
  against_reading(table, 24);
  against_reading(table, 27);
  for (const int log2 : {10, 16, 22}) {
    against_twins(table, log2, "node", {"two-sided", "rma", "shared"});
    against_twins(table, log2, "nolocal", {"two-sided", "rma"});
  }
}

}  // namespace

int main() {
  return run_contests("bench_kernels_min_element", measure);
}
