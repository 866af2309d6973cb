// Hillslope diffusion of a digital elevation model, distributed over a grid of units.
// See Solver.h for the step loop and README.md for how to run it.

#include <dash/Exception.h>
#include <dash/Init.h>
#include <dash/core/Memory.h>
#include <dash/dart/Placement.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>

#include "Agreement.h"
#include "Picture.h"
#include "Report.h"
#include "SerialSolver.h"
#include "Solver.h"
#include "common/Error.h"
#include "common/Files.h"
#include "common/ProgressBar.h"

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

// Unit 0 reads; the model is small even where the terrain made of it is not.
Dem read_on_unit_0(const std::string& path) {
  Dem dem;
  on_unit_0([&] { dem = read_dem(path); });
  dem.rows = from_unit_0(dem.rows);
  dem.cols = from_unit_0(dem.cols);
  const double cell_size = from_unit_0(dem.cell_size.value_or(0));
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

// Memory that is promised but not there ends the program without a word when it is used.
// \param copies of the whole terrain that unit 0 is going to hold
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

// The result has been taken by then: without exchange the terrain becomes wrong, from which on the last steps,
// with overlap, are verified.
Comparison compare_ways(Solver& solver, const Setup& setup, double seconds_a_step) {
  if (dash::size() == 1 || setup.options.steps == 0) return {};
  const long steps = from_unit_0(steps_of_a_turn(seconds_a_step));
  Field before;
  const Comparison comparison = compare(
      steps, [&](long count, Exchange way) { return solver.run(count, way, [](long) {}); }, collect,
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

// All units, in the order of the grid: as they were started, or mapped to the machine. What
// neighbours exchange is a row of a block, or a column.
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

  const auto exchange = options.overlap ? Exchange::overlapped : Exchange::first;
  StepTimes own;
  {
    ProgressBar bar(options.steps, "steps", is_unit_0());
    own = solver.run(options.steps, exchange, [&](long done) { bar.show(done); });
  }
  const auto times = collect(own);
  const double mean_after = solver.mean();
  const auto after = gathers ? solver.gather() : Field();
  const auto steps = static_cast<double>(std::max(options.steps, 1L));
  const auto comparison = compare_ways(solver, setup, longest_total(times) / steps);
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

// Every unit comes here with its own copy of the error, so all of them end, and one of them says
// why.
int explain(const UserError& error) {
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
    code = terrain::explain(error);
  } catch (const std::exception& error) {
    // Perhaps on this unit only: the others may wait for it for ever.
    fmt::print(stderr, "terrain: unit {}: {}\n", static_cast<int>(dash::myid()), error.what());
    dash::abort(1);
  }
  dash::finalize();
  return code;
}
