// The heat equation with the halo module: exchanges borders while it updates the interior.
// dash-example: units=1,3,4
#include <dash/halo/HaloMatrixWrapper.h>
#include <libdash.h>

#include <cmath>
#include <utility>

using Grid = dash::NArray<double, 2>;
using Point = dash::halo::StencilPoint<2>;

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    dash::TeamSpec<2> units(dash::Team::All());
    units.balance_extents();
    const Grid::pattern_type pattern(
        dash::SizeSpec<2>(24, 24), dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED), units);
    Grid first(pattern);
    Grid second(pattern);

    // An element needs four neighbours, and the grid is a torus.
    using dash::halo::BoundaryProp;
    const dash::halo::StencilSpec<Point, 4> stencil(Point(-1, 0), Point(1, 0), Point(0, -1),
                                                    Point(0, 1));
    const dash::halo::GlobalBoundarySpec<2> torus(BoundaryProp::CYCLIC, BoundaryProp::CYCLIC);
    dash::halo::HaloMatrixWrapper<Grid> now(first, torus, stencil);
    dash::halo::HaloMatrixWrapper<Grid> next(second, torus, stencil);
    auto now_op = now.stencil_operator(stencil);
    auto next_op = next.stencil_operator(stencil);
    auto* current = &now;
    auto* other = &next;
    auto* current_op = &now_op;
    auto* other_op = &next_op;

    if (dash::myid() == 0) first(12, 12) = 1000;
    first.barrier();
    const auto step = [](const auto& it) {
      const double around = it.value_at(0) + it.value_at(1) + it.value_at(2) + it.value_at(3);
      return *it + 0.2 * (around - 4 * *it);
    };
    // --8<-- [start:loop]
    // No barrier is needed: `wait` waits for the neighbours whose borders are needed.
    for (int i = 0; i < 30; ++i) {
      double* const out = other->matrix().lbegin();
      current->update_async();
      for (auto it = current_op->inner.begin(); it != current_op->inner.end(); ++it)
        out[it.lpos()] = step(it);
      current->wait();
      for (auto it = current_op->boundary.begin(); it != current_op->boundary.end(); ++it)
        out[it.lpos()] = step(it);
      std::swap(current, other);
      std::swap(current_op, other_op);
    }
    // --8<-- [end:loop]
    dash::barrier();

    // The total heat is unchanged, and it has spread symmetrically.
    auto& heat = current->matrix();
    wrong += std::abs(dash::reduce(heat.begin(), heat.end(), 0.0) - 1000) < 1e-9 ? 0 : 1;
    wrong += std::abs(heat(9, 12) - heat(15, 12)) < 1e-12 ? 0 : 1;
    wrong += heat(12, 12) < 100 && heat(12, 12) > heat(11, 12) ? 0 : 1;
    dash::barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
