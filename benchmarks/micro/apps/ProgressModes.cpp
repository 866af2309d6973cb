// dash-bench: serial starts=histogram,isx,lulesh,min_element,npb_dt,random_access,scf,spmv,stencil,terrain,triangles,uts
//
// All kernels and applications with the default progress mode, compared with the modes `thread` and `poll`. The
// argument --all-places adds runs with 1 and 4 units and runs over TCP:
//
//     build/release/bin/bench_progress_modes --all-places

#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "support/Comparison.h"
#include "support/ComparisonSet.h"
#include "support/KernelRows.h"
#include "support/ProgramComparison.h"

using namespace dash::bench;

namespace {

/// The default takes at most 1.03 of the time of the better one of the others.
constexpr double min_speed = 1 / 1.03;
constexpr Rounds rounds{9, 20};
constexpr std::array other_modes{"thread", "poll"};

struct Subject {
  const char* program;
  std::vector<std::string> arguments;
};

struct Place {
  int units;
  const char* layout;
  std::string text() const {
    return fmt::format("{} {}, {}", units, units == 1 ? "unit" : "units", layout);
  }
};

const std::vector<Place> measured_places{
    {2, "node"}, {2, "nolocal"}, {8, "node"}, {8, "cliques"}, {8, "nolocal"}};
/// With three or more units over TCP, MPI_Finalize of MPICH before 4.2 may hang.
const std::vector<Place> other_places{
    {1, "node"}, {2, "tcp"}, {4, "node"}, {4, "cliques"}, {4, "nolocal"}};

/// Each runs for about half a second. If there are more units than processors, the system distributes the threads of a
/// new program unevenly for the first 0.1 s, and progress threads make it worse.
std::vector<Subject> subjects() {
  return {
      {"histogram", {"--class", "W", "--repeat", "60"}},
      {"isx", {"--mode", "nas", "--class", "W", "--repeat", "25"}},
      {"min_element", {"--elements", "16", "--calls", "1000", "--repeat", "40"}},
      {"random_access", {"-m", "20", "--variant", "bucketed", "--repeat", "15"}},
      {"scf", {"--accumulate", "task", "--repeat", "20"}},
      {"spmv", {"-g", "32,32,32", "--products", "200", "--repeat", "20"}},
      {"stencil",
       {"--rows", "512", "--cols", "512", "--start", "rough", "--sweeps", "200", "--repeat", "40"}},
      {"triangles", {"-s", "13", "--repeat", "20"}},
      {"uts", {"--tree", "T1", "--depth", "9", "--repeat", "4"}},
      {"lulesh", {"--mesh", "30,30,60", "-i", "20", "--repeat", "7", "-q"}},
      {"npb_dt", {"SH", "--class", "W", "--repeat", "60"}},
      {"terrain", {"--steps", "8000", "--verify"}},
  };
}

ProgramRun run_of(const Subject& subject, const Place& place, const char* mode) {
  return with_mode(make_kernel_run(subject.program, subject.arguments, place.units), place.layout,
                   mode);
}

void compare_modes(ComparisonSet& comparisons, const Subject& subject, const Place& place) {
  std::vector<BaselineProgram> others;
  for (const char* mode : other_modes)
    others.push_back({mode, run_of(subject, place, mode)});
  comparisons.run([&](Table& table) {
    const ProgramComparison comparison(run_of(subject, place, "auto"), others, rounds);
    comparison.add_total_rows(table, subject.program, place.text(), speed_at_least(min_speed));
  });
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Place> places = measured_places;
  if (argc == 2 && argv[1] == std::string_view("--all-places")) {
    places.insert(places.end(), other_places.begin(), other_places.end());
  } else if (argc > 1) {
    fmt::print(stderr,
               "bench_progress_modes: unknown argument '{}'; the only one is --all-places\n",
               argv[argc - 1]);
    return 2;
  }
  return run_comparisons("bench_progress_modes", [&](ComparisonSet& comparisons) {
    for (const Place& place : places) {
      for (const Subject& subject : subjects())
        compare_modes(comparisons, subject, place);
    }
  });
}
