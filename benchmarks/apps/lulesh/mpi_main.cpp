// The baseline of lulesh with MPI only: the same computation with a different exchange.

#include <memory>

#include "Blast.h"
#include "Options.h"
#include "baseline/MpiExchange.h"
#include "baseline/MpiSharing.h"
#include "mesh/PlainState.h"
#include "report/Report.h"
#include "support/MpiProgram.h"
#include "support/MpiWait.h"

namespace lulesh {

namespace {

int run(kernels::World& world, const Options& options) {
  if (options.via == "shared" && !world.is_one_node()) {
    throw UserError("--via shared needs all units on one node");
  }
  const Mesh mesh(options.units, options.mesh, world.unit());
  const bool can_share = world.is_one_node() && world.units() > 1 && !kernels::is_oversubscribed();
  const std::size_t batches = check_resources(world, options, mesh, can_share);
  if (!options.quiet) kernels::print(world, describe(options));
  const PlainState state(mesh);
  const auto exchange = make_mpi_exchange(options.via, mesh);
  const auto run_sequentially = [](int n, dash::exec::FunctionRef<void(int)> body) {
    for (int i = 0; i < n; ++i)
      body(i);
  };
  const auto sharing =
      batches > 0 ? std::make_unique<MpiSharing>(batches, world.unit(), world.units()) : nullptr;
  const Problem problem{mesh, state.fields(), *exchange, Loop(run_sequentially), sharing.get()};
  return run_and_report(world, options, problem);
}

}  // namespace

}  // namespace lulesh

int main(int argc, char** argv) {
  return kernels::mpi_main(
      argc, argv, "lulesh_mpi", [](int count, char** words, kernels::World& world) {
        return lulesh::run_command_line(count, words, world, lulesh::Program::mpi, lulesh::run);
      });
}
