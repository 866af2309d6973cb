// The same by MPI alone, for comparison: the computation is the same code, the exchange differs.

#include <fmt/core.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "Blast.h"
#include "MpiExchange.h"
#include "Options.h"
#include "PlainState.h"
#include "Report.h"
#include "support/MpiProgram.h"

namespace lulesh {

namespace {

void print(const kernels::World& world, const std::string& text) {
  if (world.leads()) fmt::print("{}", text);
  std::fflush(stdout);
}

[[noreturn]] void abort(const kernels::World& world, const std::exception& error) {
  fmt::print(stderr, "lulesh_mpi: rank {}: {}\n", world.unit(), error.what());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

int run(kernels::World& world, const Options& options) {
  if (options.via == "shared" && !world.is_one_node()) {
    throw UserError("--via shared needs all units on one node");
  }
  const Mesh mesh(options.units, options.mesh, world.unit());
  check_resources(world, options, mesh);
  if (!options.quiet) print(world, describe(options));
  const PlainState state(mesh);
  const auto exchange = make_mpi_exchange(options.via, mesh);
  const auto one_by_one = [](int n, dash::exec::FunctionRef<void(int)> body) {
    for (int i = 0; i < n; ++i)
      body(i);
  };
  const Problem problem{mesh, state.fields(), *exchange, Loop(one_by_one)};
  try {
    return tell(world, options, problem, run_blast(world, options, problem));
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    // Of this unit only, and the others wait for it: it must not leave what they share.
    abort(world, error);
  }
}

int run_command_line(int argc, char** argv) {
  kernels::MpiWorld world;
  try {
    const auto line = parse_command_line(argc, argv, world.units(), Program::mpi);
    if (line.help.empty()) return run(world, line.options);
    print(world, line.help);
    return 0;
  } catch (const UserError& error) {
    if (world.leads()) fmt::print(stderr, "lulesh_mpi: {}\n", error.what());
    return 1;
  } catch (const std::exception& error) {
    abort(world, error);
  }
}

}  // namespace

}  // namespace lulesh

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = lulesh::run_command_line(argc, argv);
  MPI_Finalize();
  return code;
}
