// dash-bench: serial starts=histogram,isx,lulesh,min_element,npb_dt,random_access,scf,spmv,stencil,terrain,triangles,uts
//
// All kernels and applications with the default progress mode, compared with the modes `thread` and `poll`. With the
// argument --all-places, in more layouts and with more numbers of units, which takes about 40 minutes.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "support/Comparison.h"
#include "support/ComparisonSet.h"
#include "support/KernelRows.h"
#include "support/Sampling.h"
#include "support/TerrainSteps.h"

using namespace dash::bench;

namespace {

/// The default takes at most 1.03 of the time of the better one of the others.
constexpr double least_speed = 1 / 1.03;
constexpr Rounds rounds{9, 20};
constexpr std::array other_modes{"thread", "poll"};

struct Subject {
  const char* program;
  std::vector<std::string> arguments;
};

struct Place {
  int units;
  const char* layout;
  std::string text() const { return fmt::format("{} units, {}", units, layout); }
};

const std::vector<Place> measured_places{
    {2, "node"}, {2, "nolocal"}, {8, "node"}, {8, "cliques"}, {8, "nolocal"}};
/// With three or more units over TCP, MPI_Finalize of MPICH before 4.2 may hang.
const std::vector<Place> other_places{
    {1, "node"}, {2, "tcp"}, {4, "node"}, {4, "cliques"}, {4, "nolocal"}};

std::vector<Subject> subjects() {
  return {
      {"histogram", {"--class", "W", "--repeat", "9"}},
      {"isx", {"--mode", "nas", "--class", "W", "--repeat", "9"}},
      {"min_element", {"--elements", "16", "--calls", "1000", "--repeat", "5"}},
      {"random_access", {"-m", "20", "--variant", "bucketed", "--repeat", "5"}},
      {"scf", {"--accumulate", "task", "--repeat", "5"}},
      {"spmv", {"-g", "32,32,32", "--products", "200", "--repeat", "5"}},
      {"stencil",
       {"--rows", "512", "--cols", "512", "--start", "rough", "--sweeps", "200", "--repeat", "5"}},
      {"triangles", {"-s", "13", "--repeat", "5"}},
      {"uts", {"--tree", "T1", "--depth", "9", "--repeat", "3"}},
      {"lulesh", {"--mesh", "30,30,60", "-i", "20", "--repeat", "3", "-q"}},
      {"npb_dt", {"SH", "--class", "W", "--repeat", "15"}},
  };
}

ProgramRun run_of(const Subject& subject, const Place& place, const char* mode) {
  ProgramRun run = make_kernel_run(subject.program, subject.arguments, place.units);
  run.layout = place.layout;
  run.limit_s = 120;
  run.environment.push_back(fmt::format("DART_PROGRESS={}", mode));
  return run;
}

void compare_modes(ComparisonSet& comparisons, const Subject& subject, const Place& place) {
  std::vector<BaselineProgram> others;
  for (const char* mode : other_modes)
    others.push_back({mode, run_of(subject, place, mode)});
  comparisons.run([&](Table& table) {
    const ProgramComparison comparison(run_of(subject, place, "auto"), others, rounds);
    comparison.add_total_rows(table, subject.program, place.text(), speed_at_least(least_speed));
  });
}

/// Terrain reports the times of its steps instead of that of the program.
void compare_modes_of_terrain(ComparisonSet& comparisons, const Place& place) {
  const Subject terrain{"terrain", {"--steps", "50"}};
  std::array<Samples, other_modes.size() + 1> samples;
  const auto measure = [&](std::size_t mode) {
    const char* const name = mode == 0 ? "auto" : other_modes[mode - 1];
    samples[mode].push_back(measure_terrain_steps(run_of(terrain, place, name)).step);
  };
  comparisons.run([&](Table& table) {
    for (int round = scaled_rounds(rounds.most); round > 0; --round) {
      for (std::size_t i = 0; i < samples.size(); ++i)
        measure(round % 2 == 0 ? samples.size() - 1 - i : i);
    }
    const std::size_t best = median(samples[1]) <= median(samples[2]) ? 1 : 2;
    for (std::size_t mode = 1; mode < samples.size(); ++mode) {
      Outcome outcome = compare_samples(samples[0], samples[mode], {});
      outcome.figures.ours_origin.command = run_of(terrain, place, "auto").text();
      outcome.figures.baseline_origin.command =
          run_of(terrain, place, other_modes[mode - 1]).text();
      table.add(make_row("terrain", place.text(), other_modes[mode - 1], outcome,
                         mode == best ? speed_at_least(least_speed) : Goal{}));
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Place> places = measured_places;
  if (argc > 1 && std::strcmp(argv[1], "--all-places") == 0)
    places.insert(places.end(), other_places.begin(), other_places.end());
  return run_comparisons("bench_progress_modes", [&](ComparisonSet& comparisons) {
    for (const Place& place : places) {
      for (const Subject& subject : subjects())
        compare_modes(comparisons, subject, place);
      compare_modes_of_terrain(comparisons, place);
    }
  });
}
