// dash-bench: serial
//
// What more units than processors cost: a time step of the terrain simulation with two and with
// eight units on the same processors. Starts the program `terrain` that stands next to this one.

#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <stdexcept>
#include <string>

#include "support/Measure.h"
#include "support/Table.h"

using namespace dash::bench;

namespace {

constexpr double allowed = 1.3;
constexpr int few_units = 2;
constexpr int many_units = 8;
constexpr int pairs = 7;
constexpr double shortest_step_ns = 1e6;
constexpr double run_ns = 1e9;
constexpr int largest_tile = 64;

std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
  std::string output;
  std::array<char, 4096> piece;
  while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), pipe)) {
    output.append(piece.data(), n);
  }
  if (::pclose(pipe) != 0) throw std::runtime_error(command + " failed:\n" + output);
  return output;
}

/// Nanoseconds of a step, as the program reports: "..., 1.23 ms a step, ...".
double step_in(const std::string& report) {
  static const std::regex pattern("([0-9.e+-]+) (us|ms|s) a step, [^ ]+ [a-z]+ in all");
  std::smatch found;
  if (!std::regex_search(report, found, pattern)) {
    throw std::runtime_error("no time of a step in the report of terrain:\n" + report);
  }
  const double ns_of_unit = found[2] == "us" ? 1e3 : found[2] == "ms" ? 1e6 : 1e9;
  return std::stod(found[1]) * ns_of_unit;
}

class Terrain {
 public:
  explicit Terrain(std::filesystem::path program) : _program(std::move(program)) {
    if (!std::filesystem::exists(_program)) {
      throw std::runtime_error(_program.string() + " is not there: build the target 'terrain'");
    }
  }

  double step(int units, int tile, long steps) const {
    return step_in(output_of(fmt::format("mpiexec -n {} '{}' --tile {},{} --steps {}", units,
                                         _program.string(), tile, tile, steps)));
  }

 private:
  std::filesystem::path _program;
};

void measure(const Terrain& terrain) {
  int tile = 2;
  double step = terrain.step(few_units, tile, 100);
  // With room: the time of a step goes up and down.
  while (step < 1.2 * shortest_step_ns && tile < largest_tile) {
    tile *= 2;
    step = terrain.step(few_units, tile, 100);
  }
  const long steps = repetitions_within(run_ns, step);
  const auto samples = interleave(pairs, {[&] { return terrain.step(few_units, tile, steps); },
                                          [&] { return terrain.step(many_units, tile, steps); }});
  const Spread longer = spread(ratios(samples[1], samples[0]));
  Table table;
  table.add({fmt::format("step with {} units", many_units), fmt::format("{0} x {0} tiles", tile),
             duration(median(samples[1])), fmt::format("{} units", few_units),
             duration(median(samples[0])), ratio(longer), fmt::format("<= {}", allowed),
             longer.median <= allowed});
  table.note(fmt::format("{} pairs of runs of {} steps", pairs, steps));
  table.print();
}

}  // namespace

int main() {
  try {
    measure(Terrain(std::filesystem::read_symlink("/proc/self/exe").replace_filename("terrain")));
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_steps: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
