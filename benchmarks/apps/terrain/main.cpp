// Hillslope diffusion of a digital elevation model, distributed over a grid of units.
// See solver/Solver.h for the loop of time steps and README.md for how to run it.

#include <dash/Exception.h>
#include <dash/Init.h>
#include <dash/core/Memory.h>
#include <dash/dart/Placement.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>

#include "common/Error.h"
#include "common/Files.h"
#include "common/ProgressBar.h"
#include "report/Picture.h"
#include "report/Report.h"
#include "solver/Broadcast.h"
#include "solver/SerialSolver.h"
#include "solver/Solver.h"

namespace terrain {

using apps::check_writable;
using apps::ProgressBar;
using apps::UserError;

namespace {

bool is_unit_0() {
  return dash::myid() == 0;
}

void print(const std::string& text) {
  if (!is_unit_0()) return;
  fmt::print("{}", text);
  std::fflush(stdout);
}

// Unit 0 reads the model and broadcasts it: the model is small, even if the tiled terrain is large.
Dem read_on_unit_0(const std::string& path) {
  Dem dem;
  on_unit_0([&] { dem = read_dem(path); });
  dem.rows = broadcast(dem.rows);
  dem.cols = broadcast(dem.cols);
  const double cell_size = broadcast(dem.cell_size.value_or(0));
  if (cell_size > 0) dem.cell_size = cell_size;
  dem.elevations.resize(dem.rows * dem.cols);
  broadcast_bytes(dem.elevations.data(), dem.elevations.size() * sizeof dem.elevations[0]);
  return dem;
}

Setup prepare(const Options& options) {
  on_unit_0([&] {
    check_writable(options.output);
    check_writable(options.picture);
    check_writable(options.report);
  });
  Setup setup;
  setup.options = options;
  setup.dem = read_on_unit_0(options.input);
  setup.cell_size = choose_cell_size(options, setup.dem.cell_size);
  setup.time = choose_time_step(options, setup.cell_size);
  setup.extents = tiled_extents(options, setup.dem.rows, setup.dem.cols);
  setup.grid = choose_units_grid(options, static_cast<int>(dash::size()), setup.extents);
  return setup;
}

// Checks in advance, since the operating system may overcommit memory and then kills the process
// without a message.
// \param copies  number of copies of the whole terrain on unit 0
void check_memory_for_copies(const Setup& setup, int copies) {
  const double nbytes = static_cast<double>(setup.extents[0]) *
                        static_cast<double>(setup.extents[1]) * sizeof(double) * copies;
  const auto available = static_cast<double>(dash::core::available_memory());
  if (nbytes <= available) return;
  throw UserError(fmt::format(
      "--verify, --output and --picture need {} copies of the whole terrain on unit 0, "
      "{:.3g} GB, and {:.3g} GB are available: choose a smaller --tile or leave them out",
      copies, nbytes / 1e9, available / 1e9));
}

// Called after the result has been gathered, since steps without exchange make the terrain wrong.
// With --verify, checks the last steps, which are overlapped, against serial steps from the terrain
// before them.
Comparison compare_exchanges(Solver& solver, const Setup& setup, double seconds_per_step) {
  if (dash::size() == 1 || setup.options.steps == 0) return {};
  const long steps = broadcast(steps_per_round(seconds_per_step));
  Field before;
  const Comparison comparison = compare(
      steps, [&](long count, Exchange kind) { return solver.run(count, kind, [](long) {}); },
      collect,
      [&] {
        if (setup.options.verify) before = solver.gather();
      });
  if (setup.options.verify) {
    const Field after = solver.gather();
    on_unit_0([&] { check_against_serial(before, after, steps, setup.time.alpha); });
  }
  return comparison;
}

void write_results(const Setup& setup, const Field& before, const Field& after) {
  const auto& options = setup.options;
  if (!options.output.empty()) {
    write_dem(options.output, after, setup.cell_size);
    print(fmt::format("  {:<15}{}\n", "result", options.output));
  }
  if (!options.picture.empty()) {
    const auto years = setup.time.dt * static_cast<double>(options.steps);
    write_picture(options.picture, before, after, {setup.cell_size, options.steps, years});
    print(fmt::format("  {:<15}{}\n", "picture", options.picture));
  }
}

// The team of all units in the order of the grid: as they were started, or mapped to the machine.
// Neighbours exchange a row or a column of a block.
dash::Team& order_units(const Setup& setup) {
  dash::Team& all = dash::Team::All();
  if (!setup.options.map) return all;
  const auto border = [&](std::size_t d) {
    return static_cast<double>(setup.extents[d]) * sizeof(double) / setup.grid[d];
  };
  try {
    return all.mapped(setup.grid, {false, false}, {border(1), border(0)});
  } catch (const dash::exception::InvalidArgument& error) {
    throw UserError(fmt::format("--map: {}", error.what()));
  }
}

void run(const Options& options) {
  const auto setup = prepare(options);
  dash::Team& team = order_units(setup);
  print(describe_setup(setup));
  if (options.map) {
    on_unit_0([&] { print(describe_mapping(dash::dart::mapping_report(team.dart_id()))); });
  }
  const bool gathers = options.verify || !options.output.empty() || !options.picture.empty();

  Solver solver(setup.extents, setup.grid, setup.time.alpha, team);
  solver.fill(setup.dem);
  const double mean_before = solver.mean();
  if (gathers) on_unit_0([&] { check_memory_for_copies(setup, options.verify ? 6 : 2); });
  const auto before = gathers ? solver.gather() : Field();

  const auto exchange = options.overlap ? Exchange::overlapped : Exchange::blocking;
  StepTimes own;
  {
    ProgressBar bar(options.steps, "steps", is_unit_0());
    own = solver.run(options.steps, exchange, [&](long done) { bar.show(done); });
  }
  const auto times = collect(own);
  const double mean_after = solver.mean();
  const auto after = gathers ? solver.gather() : Field();
  const auto steps = static_cast<double>(std::max(options.steps, 1L));
  const auto comparison = compare_exchanges(solver, setup, max_total(times) / steps);
  print(describe_run(setup, times, comparison, mean_before, mean_after));

  if (options.verify) {
    on_unit_0([&] { check_against_serial(before, after, options.steps, setup.time.alpha); });
    print(fmt::format("  {:<15}every cell equals the serial run to the last bit\n", "verified"));
  }
  on_unit_0([&] {
    write_results(setup, before, after);
    if (options.report.empty()) return;
    write_report(options.report,
                 {"terrain", "dash", dash::dart::placement().progress, options.verify}, times,
                 comparison);
  });
}

int run_command_line(int argc, char** argv) {
  const auto line = parse_command_line(argc, argv, TERRAIN_DEFAULT_INPUT);
  if (line.help.empty()) {
    run(line.options);
  } else {
    print(line.help);
  }
  return 0;
}

// All units throw the same error, so all of them end; unit 0 prints it.
int report_error(const UserError& error) {
  if (is_unit_0()) fmt::print(stderr, "terrain: {}\n", error.what());
  return 1;
}

}  // namespace
}  // namespace terrain

int main(int argc, char** argv) {
  try {
    dash::init(&argc, &argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "terrain: {}\n", error.what());
    return 1;
  }
  int code = 1;
  try {
    code = terrain::run_command_line(argc, argv);
  } catch (const apps::UserError& error) {
    code = terrain::report_error(error);
  } catch (const std::exception& error) {
    // The error may have occurred only on this unit, and the others may wait for it.
    fmt::print(stderr, "terrain: unit {}: {}\n", static_cast<int>(dash::myid()), error.what());
    dash::abort(1);
  }
  dash::finalize();
  return code;
}
