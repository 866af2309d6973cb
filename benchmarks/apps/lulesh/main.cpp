// LULESH 2.0: explicit Lagrangian hydrodynamics on a mesh of hexahedra, distributed over a grid of
// units. See physics/Solver.cpp for the time step and README.md for how to run it.

#include <dash/Init.h>
#include <dash/ParallelFor.h>
#include <fmt/core.h>

#include <exception>
#include <memory>
#include <vector>

#include "Blast.h"
#include "Options.h"
#include "exchange/DashExchange.h"
#include "exchange/NodeSharing.h"
#include "mesh/State.h"
#include "report/Picture.h"
#include "report/Report.h"
#include "report/Slice.h"
#include "support/DashProgram.h"

namespace lulesh {

namespace {

/// Converts an allocation failure to a UserError: an allocation in global memory fails on all units
/// or on none.
template <class Make>
auto allocate(const Mesh& mesh, const Make& make) {
  try {
    return make();
  } catch (const std::exception& error) {
    const auto& m = mesh.elements;
    throw UserError(fmt::format("cannot distribute a mesh of {} x {} x {} elements: {}", m[0], m[1],
                                m[2], error.what()));
  }
}

void draw(kernels::World& world, const Options& options, const Problem& problem,
          const BlastResult& result) {
  const std::vector<Cell> cells = gather_slice(problem.mesh, problem.fields, dash::Team::All());
  on_unit_0(world, [&] {
    write_picture(options.plot, cells, {options.mesh, result.cycles, result.time});
  });
}

int run(kernels::World& world, const Options& options) {
  dash::Team& team = dash::Team::All();
  const Mesh mesh(options.units, options.mesh, world.unit());
  const std::size_t batches = check_resources(world, options, mesh, NodeSharing::is_useful(team));
  if (!options.quiet) kernels::print(world, describe(options));
  const State state = allocate(mesh, [&] { return State(mesh, team); });
  DashExchange exchange = allocate(mesh, [&] { return DashExchange(mesh, team); });
  const auto sharing = allocate(
      mesh, [&] { return batches > 0 ? std::make_unique<NodeSharing>(batches, team) : nullptr; });
  // The unit's workers share the chunks; a unit with one processor runs a sequential loop.
  const auto chunks = [](int n, dash::exec::FunctionRef<void(int)> body) {
    dash::parallel_for(static_cast<std::size_t>(n),
                       [&](std::size_t chunk) { body(static_cast<int>(chunk)); });
  };
  const Problem problem{mesh, state.fields(), exchange, Loop(chunks), sharing.get()};
  return run_and_report(world, options, problem, [&](const BlastResult& result) {
    if (!options.plot.empty()) draw(world, options, problem, result);
  });
}

}  // namespace

}  // namespace lulesh

int main(int argc, char** argv) {
  return kernels::dash_main(
      argc, argv, "lulesh", [](int count, char** words, kernels::World& world) {
        return lulesh::run_command_line(count, words, world, lulesh::Program::dash, lulesh::run);
      });
}
