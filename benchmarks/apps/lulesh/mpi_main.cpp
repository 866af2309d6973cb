// The same by MPI alone, for comparison: the computation is the same code, the exchange differs.

#include "Blast.h"
#include "MpiExchange.h"
#include "Options.h"
#include "PlainState.h"
#include "Report.h"
#include "support/MpiProgram.h"

namespace lulesh {

namespace {

int run(kernels::World& world, const Options& options) {
  if (options.via == "shared" && !world.is_one_node()) {
    throw UserError("--via shared needs all units on one node");
  }
  const Mesh mesh(options.units, options.mesh, world.unit());
  check_resources(world, options, mesh);
  if (!options.quiet) kernels::print(world, describe(options));
  const PlainState state(mesh);
  const auto exchange = make_mpi_exchange(options.via, mesh, world.is_one_node());
  const auto one_by_one = [](int n, dash::exec::FunctionRef<void(int)> body) {
    for (int i = 0; i < n; ++i)
      body(i);
  };
  const Problem problem{mesh, state.fields(), *exchange, Loop(one_by_one)};
  return run_and_tell(world, options, problem);
}

}  // namespace

}  // namespace lulesh

int main(int argc, char** argv) {
  return kernels::mpi_main(
      argc, argv, "lulesh_mpi", [](int count, char** words, kernels::World& world) {
        return lulesh::run_command_line(count, words, world, lulesh::Program::mpi, lulesh::run);
      });
}
