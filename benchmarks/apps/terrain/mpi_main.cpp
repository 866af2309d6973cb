// The baseline of terrain with MPI only: the same computation with a different exchange.

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <string>

#include "Setup.h"
#include "baseline/BaselineSolver.h"
#include "common/Error.h"
#include "common/Files.h"
#include "solver/SerialSolver.h"
#include "support/MpiProgram.h"

namespace terrain {

using apps::UserError;
using kernels::World;

namespace {

/// Each process reads the model. \throws UserError on all processes if one of them fails
Dem read_on_all(const std::string& path, World& world) {
  Dem dem;
  std::string failure;
  try {
    dem = read_dem(path);
  } catch (const UserError& error) {
    failure = error.what();
  }
  if (world.max(failure.empty() ? 0.0 : 1.0) == 0) return dem;
  throw UserError(failure.empty() ? fmt::format("another process cannot read '{}'", path)
                                  : failure);
}

/// Checks the memory for two fields of a block, and for whole fields on process 0, which verifies.
void check_memory(const Options& options, const std::array<std::size_t, 2>& extents, World& world) {
  const double cells = static_cast<double>(extents[0]) * static_cast<double>(extents[1]);
  const double copies = 2.0 / world.units() + (world.is_root() && options.verify ? 6 : 0);
  kernels::require_memory(world, copies * cells * sizeof(double),
                          fmt::format("a terrain of {} x {} cells", extents[0], extents[1]));
}

/// \throws UserError on all units
void check_report(const Options& options, World& world) {
  std::string failure;
  if (world.is_root()) {
    try {
      apps::check_writable(options.report);
    } catch (const UserError& error) {
      failure = error.what();
    }
  }
  if (world.max(failure.empty() ? 0.0 : 1.0) > 0) throw UserError(failure);
}

TimesOfUnits collect(const StepTimes& own, const World& world) {
  TimesOfUnits times(static_cast<std::size_t>(world.units()));
  MPI_Allgather(&own, sizeof own, MPI_BYTE, times.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD);
  return times;
}

void run(const Options& options, World& world) {
  if (options.map || !options.output.empty() || !options.picture.empty())
    throw UserError("terrain_mpi does not support --map, --output and --picture");
  if (options.via == "shared" && !world.is_one_node())
    throw UserError("--via shared needs all units on one node");
  check_report(options, world);
  const Dem dem = read_on_all(options.input, world);
  const double cell_size = choose_cell_size(options, dem.cell_size);
  const TimeStep time = choose_time_step(options, cell_size);
  const auto extents = tiled_extents(options, dem.rows, dem.cols);
  const auto grid = choose_units_grid(options, world.units(), extents);
  check_memory(options, extents, world);
  BaselineSolver solver(extents, grid, time.alpha, options.via);
  solver.fill(dem);

  const auto collect_times = [&](const StepTimes& own) { return collect(own, world); };
  const Field before = options.verify ? solver.gather() : Field();
  const Exchange exchange = options.overlap ? Exchange::overlapped : Exchange::blocking;
  const TimesOfUnits times = collect_times(solver.run(options.steps, exchange));
  const Field after = options.verify ? solver.gather() : Field();
  const double step = max_total(times) / static_cast<double>(std::max(options.steps, 1L));
  Comparison comparison;
  const long steps_compared = steps_per_round(step);
  Field before_last;
  Field after_last;
  if (world.units() > 1 && options.steps > 0) {
    comparison = compare(
        steps_compared, [&](long steps, Exchange kind) { return solver.run(steps, kind); },
        collect_times,
        [&] {
          if (options.verify) before_last = solver.gather();
        });
    if (options.verify) after_last = solver.gather();
  }
  if (!world.is_root()) return;
  fmt::print("terrain with MPI only, {}, {} x {} cells on {} processes\n{}{}", options.via,
             extents[0], extents[1], world.units(), line("speed", duration(step) + " per step"),
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
  const CommandLine line = parse_command_line(argc, argv, TERRAIN_DEFAULT_INPUT, Program::baseline);
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
