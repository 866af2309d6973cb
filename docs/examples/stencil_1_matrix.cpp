// The stencil of docs/how-to/port-from-mpi.md, step 1: distributed matrices. Each unit copies the rows next
// to its own rows, then computes.
// dash-example: units=1,3,4,7 full-units=9
#include <libdash.h>

#include <utility>
#include <vector>

#include "Stencil.h"

using namespace stencil;

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    // --8<-- [start:matrix]
    dash::NArray<double, 2> now(rows, cols);  // strips of rows, one on each unit
    dash::NArray<double, 2> next(rows, cols);
    const long first = now.pattern().global({0, 0})[0];
    const auto mine = static_cast<long>(now.pattern().local_extents()[0]);
    // --8<-- [end:matrix]
    for (long i = 0; i < mine * cols; ++i)
      now.lbegin()[i] = next.lbegin()[i] = initial(first + i / cols);
    dash::barrier();

    std::vector<double> north(cols);
    std::vector<double> south(cols);
    for (int step = 0; step < steps; ++step) {
      if (first > 0) {
        const auto row = now.row(first - 1);
        dash::copy(row.begin(), row.end(), north.data());
      }
      if (first + mine < rows) {
        const auto row = now.row(first + mine);
        dash::copy(row.begin(), row.end(), south.data());
      }
      const double* const in = now.lbegin();
      double* const out = next.lbegin();
      for (long i = 0; i < mine; ++i) {
        if (first + i == 0 || first + i == rows - 1) continue;
        const double* above = i > 0 ? in + (i - 1) * cols : north.data();
        const double* below = i + 1 < mine ? in + (i + 1) * cols : south.data();
        relax(above, in + i * cols, below, out + i * cols);
      }
      std::swap(now, next);
      dash::barrier();  // the new rows are complete, and no unit reads the old ones
    }

    for (long i = 0; i < mine; ++i)
      wrong += differences(now.lbegin() + i * cols, first + i, 0, cols);
    dash::barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
