// LULESH 2.0: explicit Lagrangian hydrodynamics on a mesh of hexahedra, distributed over a grid of
// units. See Solver.h for the steps and README.md for how to run it.

#include <dash/Init.h>
#include <dash/ParallelFor.h>
#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "Blast.h"
#include "Cut.h"
#include "DashExchange.h"
#include "NodeSharing.h"
#include "Options.h"
#include "Picture.h"
#include "Report.h"
#include "State.h"
#include "support/DashProgram.h"

namespace lulesh {

namespace {

void print(const std::string& text) {
  if (dash::myid() == 0) fmt::print("{}", text);
  std::fflush(stdout);
}

/// The library lets an allocation fail on all units or on none.
template <class T>
T allocate(const Mesh& mesh, dash::Team& team) {
  try {
    return T(mesh, team);
  } catch (const std::exception& error) {
    const auto& m = mesh.elements;
    throw UserError(fmt::format("cannot distribute a mesh of {} x {} x {} elements: {}", m[0], m[1],
                                m[2], error.what()));
  }
}

int run(kernels::World& world, const Options& options, const Problem& problem) {
  const BlastResult result = run_blast(world, options, problem);
  const int code = tell(world, options, problem, result);
  if (!options.plot.empty()) {
    const std::vector<Cell> cells =
        cut_through_origin(problem.mesh, problem.fields, dash::Team::All());
    on_unit_0(world, [&] {
      write_picture(options.plot, cells, {options.mesh, result.cycles, result.time});
    });
  }
  return code;
}

int run(const Options& options) {
  kernels::DashWorld world;
  dash::Team& team = dash::Team::All();
  const Mesh mesh(options.units, options.mesh, dash::myid().id);
  check_resources(world, options, mesh);
  if (!options.quiet) print(describe(options));
  const State state = allocate<State>(mesh, team);
  DashExchange exchange = allocate<DashExchange>(mesh, team);
  // Chunks are shared out to the unit's workers; where it has one processor, they are a loop.
  const auto chunks = [](int n, dash::exec::FunctionRef<void(int)> body) {
    dash::parallel_for(static_cast<std::size_t>(n),
                       [&](std::size_t chunk) { body(static_cast<int>(chunk)); });
  };
  const auto sharing = NodeSharing::where_it_pays(mesh, options.regions, team);
  const Problem problem{mesh, state.fields(), exchange, Loop(chunks), sharing.get()};
  try {
    return run(world, options, problem);
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    // Of this unit only, and the others wait for it: it must not leave what they share.
    fmt::print(stderr, "lulesh: unit {}: {}\n", dash::myid().id, error.what());
    dash::abort();
  }
}

int explain(const std::exception& error) {
  if (dash::myid() == 0) fmt::print(stderr, "lulesh: {}\n", error.what());
  return 1;
}

}  // namespace

}  // namespace lulesh

int main(int argc, char** argv) {
  // Units wait for each of their exchanges, and look after messages then. A thread that did so
  // meanwhile would take the processor from the computation.
  ::setenv("DART_PROGRESS", "poll", 0);
  try {
    dash::init(&argc, &argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "lulesh: {}\n", error.what());
    return 1;
  }
  int code = 0;
  try {
    const auto line = lulesh::parse_command_line(argc, argv, static_cast<int>(dash::size()),
                                                 lulesh::Program::dash);
    if (line.help.empty()) {
      code = lulesh::run(line.options);
    } else {
      lulesh::print(line.help);
    }
  } catch (const lulesh::UserError& error) {
    code = lulesh::explain(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "lulesh: unit {}: {}\n", dash::myid().id, error.what());
    dash::abort();
  }
  dash::finalize();
  return code;
}
