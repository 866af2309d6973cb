// dash-bench: serial starts=isx,isx_mpi
//
// ISx and NAS IS on two units: the whole iteration, and what of it is communication, against the same
// by MPI alone.

#include <fmt/core.h>

#include <string>
#include <vector>

#include "support/Programs.h"
#include "support/Table.h"

using namespace dash::bench;

namespace {

struct Case {
  const char* text;
  std::vector<std::string> options;
};

std::vector<Case> cases() {
  return {
      {"iso, 2^22 keys a unit", {"--mode", "iso", "-n", "4194304", "--repeat", "15"}},
      {"weak, 2^20 keys a unit, below 2^24",
       {"-n", "1048576", "--max-key", "16777216", "--repeat", "15"}},
      {"strong, 2^23 keys", {"--mode", "strong", "-n", "8388608", "--repeat", "5"}},
      {"NAS IS, class W", {"--mode", "nas", "--class", "W", "--repeat", "9"}},
      {"NAS IS, class A", {"--mode", "nas", "--class", "A", "--repeat", "3"}},
  };
}

ProgramRun run_of(const Case& which, const char* layout) {
  return {2, layout, "isx", which.options};
}

void measure(Table& table) {
  for (const Case& each : cases()) {
    const ProgramRun ours = run_of(each, "node");
    const ProgramContest contest(ours, twins_by_mpi(ours, {"two-sided", "rma", "shared"}));
    table.add(contest.total_row("total", each.text, speed_at_least(1.0)));
    table.add(contest.communication_row("communication", each.text, "rma", ratio_at_most(0.5)));
  }
  for (const Case& each : cases()) {
    const ProgramRun ours = run_of(each, "nolocal");
    const ProgramContest contest(ours, twins_by_mpi(ours, {"two-sided", "rma"}));
    table.add(contest.total_row("total, nolocal", each.text, speed_at_least(0.97)));
    table.add(contest.communication_row("communication, nolocal", each.text, "rma"));
  }
}

}  // namespace

int main() {
  return run_contests("bench_kernels_isx", measure);
}
