// Heat in a rod: each unit updates its own part and reads one element of each neighbour.
// dash-example: units=1,3,4
#include <libdash.h>

#include <cmath>
#include <utility>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    const auto n = static_cast<long>(8 * dash::size());
    dash::Array<double> now(static_cast<std::size_t>(n));
    dash::Array<double> next(static_cast<std::size_t>(n));
    const long first = now.pattern().lbegin();  // global index of the caller's first element
    const auto mine = static_cast<long>(now.lsize());

    // The ends have the constant values 0 and 1. The solution is a straight line between them.
    for (int step = 0; step < 20 * n * n / 8; ++step) {
      const double left = first > 0 ? double(now[first - 1]) : 0;
      const double right = first + mine < n ? double(now[first + mine]) : 1;
      for (long i = 0; i < mine; ++i) {
        const double west = i > 0 ? now.local[i - 1] : left;
        const double east = i + 1 < mine ? now.local[i + 1] : right;
        next.local[i] = (west + east) / 2;
      }
      next.barrier();  // all parts are complete before a unit reads them
      std::swap(now, next);
    }
    for (long i = 0; i < mine; ++i) {
      const double exact = static_cast<double>(first + i + 1) / static_cast<double>(n + 1);
      wrong += std::abs(now.local[i] - exact) < 1e-3 ? 0 : 1;
    }
    now.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
