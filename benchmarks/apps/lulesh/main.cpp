// LULESH 2.0: explicit Lagrangian hydrodynamics on a mesh of hexahedra, distributed over a grid of
// units. See Solver.h for the steps and README.md for how to run it.

#include <dash/Collectives.h>
#include <dash/Init.h>
#include <dash/async/Executor.h>
#include <dash/core/Clock.h>
#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "DashExchange.h"
#include "Options.h"
#include "Report.h"
#include "Solver.h"
#include "State.h"

namespace lulesh {

namespace {

bool is_unit_0() {
  return dash::myid() == 0;
}

void print(const std::string& text) {
  if (is_unit_0()) fmt::print("{}", text);
  std::fflush(stdout);
}

void run(const Options& options) {
  if (!options.quiet) print(describe(options));
  dash::Team& team = dash::Team::All();
  const Mesh mesh(options.units, options.mesh, dash::myid().id);
  const State state(mesh, team);
  DashExchange exchange(mesh, team);
  const auto chunks = [](int n, dash::exec::FunctionRef<void(int)> body) {
    dash::exec::run_chunks(static_cast<std::size_t>(n),
                           [&](std::size_t chunk) { body(static_cast<int>(chunk)); });
  };
  Solver solver(mesh, state.fields(), options.regions, exchange, Loop(chunks));

  team.barrier();
  const std::uint64_t begin = dash::core::now_ns();
  while (!solver.is_done() && solver.cycles() < options.cycles) {
    solver.step();
    if (options.progress) {
      print(fmt::format("cycle = {}, time = {:.6e}, dt = {:.6e}\n", solver.cycles(), solver.time(),
                        solver.time_step()));
    }
  }
  const auto seconds = static_cast<double>(dash::core::now_ns() - begin) * 1e-9;
  const double slowest = dash::allreduce_async(seconds, dash::max<double>()).get();
  print(describe_result(mesh, state.fields(), solver, slowest));
  team.barrier();
}

int explain(const std::exception& error) {
  if (is_unit_0()) fmt::print(stderr, "lulesh: {}\n", error.what());
  return 1;
}

}  // namespace

}  // namespace lulesh

int main(int argc, char** argv) {
  try {
    dash::init(&argc, &argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "lulesh: {}\n", error.what());
    return 1;
  }
  int code = 0;
  try {
    const auto line = lulesh::parse_command_line(argc, argv, static_cast<int>(dash::size()), false);
    if (line.help.empty()) {
      lulesh::run(line.options);
    } else {
      lulesh::print(line.help);
    }
  } catch (const lulesh::UserError& error) {
    code = lulesh::explain(error);
  } catch (const std::exception& error) {
    // The others wait for this unit.
    fmt::print(stderr, "lulesh: unit {}: {}\n", dash::myid().id, error.what());
    dash::abort();
  }
  dash::finalize();
  return code;
}
