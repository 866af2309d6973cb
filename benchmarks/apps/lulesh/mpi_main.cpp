// The same by MPI alone, for comparison: the computation is the same code, the exchange differs.

#include <fmt/core.h>
#include <mpi.h>

#include <cstdio>
#include <exception>

#include "MpiExchange.h"
#include "Options.h"
#include "PlainState.h"
#include "Report.h"
#include "Solver.h"

namespace lulesh {

namespace {

int rank() {
  int result = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &result);
  return result;
}

void print(const std::string& text) {
  if (rank() == 0) fmt::print("{}", text);
  std::fflush(stdout);
}

void run(const Options& options) {
  if (!options.quiet) print(describe(options));
  const Mesh mesh(options.units, options.mesh, rank());
  const PlainState state(mesh);
  const auto exchange = make_mpi_exchange(options.exchange, mesh);
  const auto one_by_one = [](int n, dash::exec::FunctionRef<void(int)> body) {
    for (int i = 0; i < n; ++i)
      body(i);
  };
  Solver solver(mesh, state.fields(), options.regions, *exchange, Loop(one_by_one));

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  while (!solver.is_done() && solver.cycles() < options.cycles)
    solver.step();
  double seconds = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  print(describe_result(mesh, state.fields(), solver, seconds));
}

int run_command_line(int argc, char** argv) {
  int units = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &units);
  try {
    const auto line = parse_command_line(argc, argv, units, true);
    if (!line.help.empty()) {
      print(line.help);
      return 0;
    }
    run(line.options);
    return 0;
  } catch (const UserError& error) {
    if (rank() == 0) fmt::print(stderr, "lulesh_mpi: {}\n", error.what());
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "lulesh_mpi: rank {}: {}\n", rank(), error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 1;
}

}  // namespace

}  // namespace lulesh

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = lulesh::run_command_line(argc, argv);
  MPI_Finalize();
  return code;
}
