// A team whose units are placed for a grid, and the evaluation of a placement on a machine that is described in code.
// dash-example: units=1,4,6
// --8<-- [start:includes]
#include <dash/core/mapping/Evaluation.h>
#include <dash/core/mapping/MachineFile.h>
// --8<-- [end:includes]
#include <dash/halo/HaloMatrixWrapper.h>
#include <libdash.h>

#include <string>
#include <vector>

using dash::halo::StencilPoint;
using dash::halo::StencilSpec;

namespace {

bool evaluates() {
  // --8<-- [start:evaluate]
  using namespace dash::core::mapping;
  // Or read_machine("cluster.topology")
  const Machine machine = Machine::flat({"node0", "node1"});
  std::vector<UnitLocation> locations;  // by unit: node, NUMA domain, core
  for (unsigned unit = 0; unit < 8; ++unit)
    locations.push_back({unit / 4, 0, unit % 4});
  const Grid grid{{4, 2}, {true, false}, {}};  // 4 x 2 units; the first dimension is periodic
  const GridMapping mapping = map_grid(machine, locations, grid);
  // mapping.unit_at[position], mapping.position_of[unit]
  const Evaluation evaluation = evaluate(machine, locations, grid, mapping);
  // --8<-- [end:evaluate]
  static_cast<void>(evaluation);
  return mapping.unit_at.size() == 8 && mapping.position_of.size() == 8;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = evaluates() ? 0 : 1;
  {
    dash::TeamSpec<2> shape(dash::Team::All());
    shape.balance_extents();
    const StencilSpec<StencilPoint<2>, 2> stencil(StencilPoint<2>(-1, 0), StencilPoint<2>(1, 0));
    // --8<-- [start:team]
    dash::Team& grid = dash::Team::All().mapped(shape);  // for example 4 x 6 units
    dash::NArray<double, 2> a(dash::SizeSpec<2>(24, 24),
                              dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED), grid, shape);
    dash::halo::HaloMatrixWrapper<decltype(a)> halo(a, stencil);
    // --8<-- [end:team]
    halo.update();
    wrong += grid.size() == dash::size() ? 0 : 1;
    dash::barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
