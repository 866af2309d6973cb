// The stencil of docs/how-to/port-from-mpi.md, step 2: copies the neighbours' rows while it computes the
// inner rows.
// dash-example: units=1,3,4,7 full-units=9
#include <libdash.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "Stencil.h"

using namespace stencil;

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    dash::NArray<double, 2> now(rows, cols);
    dash::NArray<double, 2> next(rows, cols);
    const long first = now.pattern().global({0, 0})[0];
    const auto mine = static_cast<long>(now.pattern().local_extents()[0]);
    for (long i = 0; i < mine * cols; ++i)
      now.lbegin()[i] = next.lbegin()[i] = initial(first + i / cols);
    dash::barrier();

    std::vector<double> north(cols);
    std::vector<double> south(cols);
    for (int step = 0; step < steps; ++step) {
      // At the edges of the plate there is no neighbour: the copied row is not used.
      const auto above = now.row(std::max(first - 1, 0L));
      const auto below = now.row(std::min(first + mine, rows - 1));
      // --8<-- [start:copies]
      auto from_north = dash::copy_async(above.begin(), above.end(), north.data());
      auto from_south = dash::copy_async(below.begin(), below.end(), south.data());

      const double* const in = now.lbegin();
      double* const out = next.lbegin();
      const auto update = [&](long i, const double* before, const double* behind) {
        const bool is_edge = first + i == 0 || first + i == rows - 1;
        if (!is_edge) relax(before, in + i * cols, behind, out + i * cols);
      };
      for (long i = 1; i + 1 < mine; ++i)
        update(i, in + (i - 1) * cols, in + (i + 1) * cols);

      from_north.wait();
      if (mine > 1) update(0, north.data(), in + cols);
      from_south.wait();
      if (mine > 1) update(mine - 1, in + (mine - 2) * cols, south.data());
      if (mine == 1) update(0, north.data(), south.data());
      // --8<-- [end:copies]
      std::swap(now, next);
      dash::barrier();
    }

    for (long i = 0; i < mine; ++i)
      wrong += differences(now.lbegin() + i * cols, first + i, 0, cols);
    dash::barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
