// The same by MPI alone, for comparison: the computation is the same code, the exchange differs.

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "SerialSolver.h"
#include "Setup.h"
#include "TwinSolver.h"
#include "common/Error.h"

namespace terrain {

using apps::UserError;

namespace {

int process() {
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  return process;
}

int processes() {
  int processes = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  return processes;
}

TimesOfUnits collect(const StepTimes& own) {
  TimesOfUnits times(static_cast<std::size_t>(processes()));
  MPI_Allgather(&own, sizeof own, MPI_BYTE, times.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD);
  return times;
}

/// Throws on all processes what one of them has found, so that none waits for those that end.
template <class F>
auto on_all(const F& prepare) {
  std::string complaint;
  decltype(prepare()) result;
  try {
    result = prepare();
  } catch (const UserError& error) {
    complaint = error.what();
  } catch (const std::bad_alloc&) {
    complaint = "there is not enough memory: choose a smaller --tile";
  } catch (const std::length_error&) {
    complaint = "there is not enough memory: choose a smaller --tile";
  }
  int speaker = complaint.empty() ? processes() : process();
  MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (speaker == processes()) return result;
  int length = static_cast<int>(complaint.size());
  MPI_Bcast(&length, 1, MPI_INT, speaker, MPI_COMM_WORLD);
  complaint.resize(static_cast<std::size_t>(length));
  MPI_Bcast(complaint.data(), length, MPI_CHAR, speaker, MPI_COMM_WORLD);
  throw UserError(complaint);
}

void run(const Options& options) {
  if (options.map || !options.output.empty() || !options.picture.empty())
    throw UserError(
        "--map, --output, --picture: terrain_mpi is there to be compared, and has none");
  const Dem dem = on_all([&] { return read_dem(options.input); });
  const double cell_size = choose_cell_size(options, dem.cell_size);
  const TimeStep time = choose_time_step(options, cell_size);
  const auto extents = tiled_extents(options, dem.rows, dem.cols);
  const auto grid = choose_units_grid(options, processes(), extents);
  const auto owned =
      on_all([&] { return std::make_unique<TwinSolver>(extents, grid, time.alpha); });
  TwinSolver& solver = *owned;
  solver.fill(dem);

  const Field before = options.verify ? solver.gather() : Field();
  const Exchange exchange = options.overlap ? Exchange::overlapped : Exchange::first;
  const TimesOfUnits times = collect(solver.run(options.steps, exchange));
  const Field after = options.verify ? solver.gather() : Field();
  const double step = longest_total(times) / static_cast<double>(std::max(options.steps, 1L));
  Comparison comparison;
  if (processes() > 1 && options.steps > 0) {
    comparison = compare(
        steps_of_a_turn(step), [&](long steps, Exchange way) { return solver.run(steps, way); },
        collect);
  }
  if (process() != 0) return;
  fmt::print("terrain by MPI alone, {} x {} cells on {} processes\n{}{}", extents[0], extents[1],
             processes(), line("speed", duration(step) + " a step"), describe(comparison));
  if (!options.verify) return;
  check_against_serial(before, after, options.steps, time.alpha);
  fmt::print("{}", line("verified", "every cell equals the serial run to the last bit"));
}

int run_command_line(int argc, char** argv) {
  try {
    const auto line = parse_command_line(argc, argv, TERRAIN_DEFAULT_INPUT);
    if (line.help.empty()) {
      run(line.options);
    } else if (process() == 0) {
      fmt::print("{}", line.help);
    }
  } catch (const UserError& error) {
    if (process() == 0) fmt::print(stderr, "terrain_mpi: {}\n", error.what());
    return 1;
  } catch (const std::exception& error) {
    // Perhaps on this process only: the others would wait for it for ever.
    fmt::print(stderr, "terrain_mpi: process {}: {}\n", process(), error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 0;
}

}  // namespace
}  // namespace terrain

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = terrain::run_command_line(argc, argv);
  std::fflush(stdout);
  MPI_Finalize();
  return code;
}
