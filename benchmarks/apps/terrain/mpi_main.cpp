// The same by MPI alone, for comparison: the computation is the same code, the exchange differs.

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <string>

#include "SerialSolver.h"
#include "Setup.h"
#include "TwinSolver.h"
#include "common/Error.h"
#include "common/Files.h"
#include "support/MpiProgram.h"

namespace terrain {

using apps::UserError;
using kernels::World;

namespace {

/// Each process reads it. \throws UserError on all if one cannot
Dem read_on_all(const std::string& path, World& world) {
  Dem dem;
  std::string complaint;
  try {
    dem = read_dem(path);
  } catch (const UserError& error) {
    complaint = error.what();
  }
  if (world.max(complaint.empty() ? 0.0 : 1.0) == 0) return dem;
  throw UserError(complaint.empty() ? fmt::format("{}: other processes cannot read it", path)
                                    : complaint);
}

/// Two fields of a block; process 0 compares whole ones.
void check_memory(const Options& options, const std::array<std::size_t, 2>& extents, World& world) {
  const double cells = static_cast<double>(extents[0]) * static_cast<double>(extents[1]);
  const double copies = 2.0 / world.units() + (world.leads() && options.verify ? 6 : 0);
  kernels::require_memory(world, copies * cells * sizeof(double),
                          fmt::format("a terrain of {} x {} cells", extents[0], extents[1]));
}

/// \throws UserError on all units
void check_report(const Options& options, World& world) {
  std::string complaint;
  if (world.leads()) {
    try {
      apps::check_writable(options.report);
    } catch (const UserError& error) {
      complaint = error.what();
    }
  }
  if (world.max(complaint.empty() ? 0.0 : 1.0) > 0) throw UserError(complaint);
}

TimesOfUnits collect(const StepTimes& own, const World& world) {
  TimesOfUnits times(static_cast<std::size_t>(world.units()));
  MPI_Allgather(&own, sizeof own, MPI_BYTE, times.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD);
  return times;
}

void run(const Options& options, World& world) {
  if (options.map || !options.output.empty() || !options.picture.empty())
    throw UserError(
        "--map, --output, --picture: terrain_mpi is there to be compared, and has none");
  if (options.via == "shared" && !world.is_one_node())
    throw UserError("--via shared needs all units on one node");
  check_report(options, world);
  const Dem dem = read_on_all(options.input, world);
  const double cell_size = choose_cell_size(options, dem.cell_size);
  const TimeStep time = choose_time_step(options, cell_size);
  const auto extents = tiled_extents(options, dem.rows, dem.cols);
  const auto grid = choose_units_grid(options, world.units(), extents);
  check_memory(options, extents, world);
  TwinSolver solver(extents, grid, time.alpha, options.via);
  solver.fill(dem);

  const auto collect_times = [&](const StepTimes& own) { return collect(own, world); };
  const Field before = options.verify ? solver.gather() : Field();
  const Exchange exchange = options.overlap ? Exchange::overlapped : Exchange::first;
  const TimesOfUnits times = collect_times(solver.run(options.steps, exchange));
  const Field after = options.verify ? solver.gather() : Field();
  const double step = longest_total(times) / static_cast<double>(std::max(options.steps, 1L));
  Comparison comparison;
  const long steps_compared = steps_of_a_turn(step);
  Field before_last;
  Field after_last;
  if (world.units() > 1 && options.steps > 0) {
    comparison = compare(
        steps_compared, [&](long steps, Exchange way) { return solver.run(steps, way); },
        collect_times,
        [&] {
          if (options.verify) before_last = solver.gather();
        });
    if (options.verify) after_last = solver.gather();
  }
  if (!world.leads()) return;
  fmt::print("terrain by MPI alone, {}, {} x {} cells on {} processes\n{}{}", options.via,
             extents[0], extents[1], world.units(), line("speed", duration(step) + " a step"),
             describe(comparison));
  if (options.verify) {
    check_against_serial(before, after, options.steps, time.alpha);
    if (comparison.steps > 0)
      check_against_serial(before_last, after_last, steps_compared, time.alpha);
    fmt::print("{}", line("verified", "every cell equals the serial run to the last bit"));
  }
  if (options.report.empty()) return;
  write_report(options.report, {"terrain_mpi", options.via, {}, options.verify}, times, comparison);
}

int run_command_line(int argc, char** argv, World& world) {
  const CommandLine line = parse_command_line(argc, argv, TERRAIN_DEFAULT_INPUT, Program::twin);
  if (line.help.empty()) {
    run(line.options, world);
  } else {
    kernels::print(world, line.help);
  }
  return 0;
}

}  // namespace
}  // namespace terrain

int main(int argc, char** argv) {
  return kernels::mpi_main(argc, argv, "terrain_mpi", terrain::run_command_line);
}
