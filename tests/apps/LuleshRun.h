#pragma once

#include "dash/Collectives.h"
#include "dash/Init.h"
#include "dash/async/Executor.h"
#include "exchange/DashExchange.h"
#include "mesh/Mesh.h"
#include "mesh/Regions.h"
#include "mesh/State.h"
#include "physics/Loop.h"
#include "physics/Solver.h"

namespace lulesh {

/// Runs the chunks of a loop. It has static storage duration, so Loop may refer to it.
inline constexpr auto run_chunks = [](int n, dash::exec::FunctionRef<void(int)> body) {
  dash::exec::run_chunks(static_cast<std::size_t>(n),
                         [&](std::size_t chunk) { body(static_cast<int>(chunk)); });
};

/// A run on all units; by default with the grid that the program would choose.
struct Run {
  explicit Run(const Int3& elements, const RegionOptions& regions = {})
      : Run(choose_grid(static_cast<int>(dash::size()), elements), elements, regions) {}
  Run(const Int3& grid, const Int3& elements, const RegionOptions& regions)
      : mesh(grid, elements, dash::myid().id),
        state(mesh, dash::Team::All()),
        exchange(mesh, dash::Team::All()),
        solver(mesh, state.fields(), regions, exchange, Loop(run_chunks)) {}

  void finish() {
    while (!solver.is_done())
      solver.step();
  }
  double origin_energy() const {
    return dash::bcast_async(state.fields().energy[0], dash::team_unit_t(0)).get();
  }
  double sum(double own) const { return dash::allreduce_async(own, dash::plus<double>()).get(); }

  Mesh mesh;
  State state;
  DashExchange exchange;
  Solver solver;
};

}  // namespace lulesh
