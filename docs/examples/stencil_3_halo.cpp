// The stencil of docs/how-to/port-from-mpi.md, step 3: two-dimensional blocks, and the halo module for the
// exchange. The loop contains no barrier.
// dash-example: units=1,3,4,6
#include <dash/halo/HaloMatrixWrapper.h>
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
    units.balance_extents();  // as square as possible
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

    // The neighbours that an element needs. The matrix ends at the edges of the plate, so the edges keep
    // their values.
    // --8<-- [start:halo]
    const dash::halo::StencilSpec<Point, 4> stencil(Point(-1, 0), Point(1, 0), Point(0, -1),
                                                    Point(0, 1));
    dash::halo::HaloMatrixWrapper<Grid> first_halo(first, stencil);
    dash::halo::HaloMatrixWrapper<Grid> second_halo(second, stencil);
    auto first_op = first_halo.stencil_operator(stencil);
    auto second_op = second_halo.stencil_operator(stencil);
    // --8<-- [end:halo]
    auto* now = &first_halo;
    auto* next = &second_halo;
    auto* op = &first_op;
    auto* next_op = &second_op;

    // --8<-- [start:loop]
    for (int step = 0; step < steps; ++step) {
      double* const out = next->matrix().lbegin();
      now->update_async();
      op->inner.update(out, [](const double* cell, double* to, auto, const auto& at) {
        *to = 0.25 * (cell[at[0]] + cell[at[1]] + cell[at[2]] + cell[at[3]]);
      });
      now->wait();
      op->boundary.update(out, [](const auto& cell) {
        return 0.25 * (cell.value_at(0) + cell.value_at(1) + cell.value_at(2) + cell.value_at(3));
      });
      std::swap(now, next);
      std::swap(op, next_op);
    }
    // --8<-- [end:loop]

    const double* row = now->matrix().lbegin();
    for (long i = 0; i < static_cast<long>(extents[0]); ++i, row += width)
      wrong += differences(row, corner[0] + i, corner[1], width);
    dash::barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
