// The stencil of docs/how-to/port-from-mpi.md, step 4: a time step is one call. All threads of the unit
// compute chunks of the inner elements, and each part of the border as soon as its halo has arrived.
// dash-example: units=1,3,4,6
#include <dash/halo/HaloMatrixWrapper.h>
#include <dash/halo/stencil/StencilFor.h>
#include <libdash.h>

#include <utility>

#include "Stencil.h"

using namespace stencil;
using Grid = dash::NArray<double, 2>;
using Point = dash::halo::StencilPoint<2>;

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    dash::TeamSpec<2> units(dash::Team::All());
    units.balance_extents();
    const Grid::pattern_type pattern(dash::SizeSpec<2>(rows, cols),
                                     dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED),
                                     units);
    Grid first(pattern);
    Grid second(pattern);
    const auto corner = pattern.global({0, 0});
    const auto extents = pattern.local_extents();
    const auto width = static_cast<long>(extents[1]);
    for (std::size_t i = 0; i < pattern.local_size(); ++i) {
      first.lbegin()[i] = second.lbegin()[i] = initial(corner[0] + static_cast<long>(i) / width);
    }

    const dash::halo::StencilSpec<Point, 4> stencil(Point(-1, 0), Point(1, 0), Point(0, -1),
                                                    Point(0, 1));
    dash::halo::HaloMatrixWrapper<Grid> first_halo(first, stencil);
    dash::halo::HaloMatrixWrapper<Grid> second_halo(second, stencil);
    auto first_op = first_halo.stencil_operator(stencil);
    auto second_op = second_halo.stencil_operator(stencil);
    auto* now = &first_halo;
    auto* next = &second_halo;
    auto* op = &first_op;
    auto* next_op = &second_op;

    for (int step = 0; step < steps; ++step) {
      // --8<-- [start:step]
      dash::halo::stencil_for(*now, *op, next->matrix().lbegin(), [](const auto& cell) {
        return 0.25 * (cell[0] + cell[1] + cell[2] + cell[3]);
      });
      // --8<-- [end:step]
      std::swap(now, next);
      std::swap(op, next_op);
    }

    const double* row = now->matrix().lbegin();
    for (long i = 0; i < static_cast<long>(extents[0]); ++i, row += width)
      wrong += differences(row, corner[0] + i, corner[1], width);
    dash::barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
