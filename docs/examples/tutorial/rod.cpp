// Tutorial, chapter 2: heat spreads along a rod. The first stencil.
// dash-example: units=1,2,3,4,7 full-units=9,12
// --8<-- [start:program]
#include <libdash.h>

#include <cmath>
#include <cstdio>
#include <utility>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool is_right = false;
  {
    // --8<-- [start:setup]
    const long n = 40;
    dash::Array<double> first(n);
    dash::Array<double> second(n);
    if (dash::myid() == 0) first[n / 2] = 100;  // one hot element; all others are 0
    dash::barrier();
    // --8<-- [end:setup]

    // --8<-- [start:loop]
    auto* now = &first;
    auto* next = &second;
    for (int step = 0; step < 50; ++step) {
      const long size = static_cast<long>(now->lsize());
      if (size > 0) {
        const long begin = now->pattern().global(0);
        const long end = begin + size;  // the block of this unit is [begin, end)
        const double before = begin > 0 ? static_cast<double>((*now)[begin - 1]) : now->local[0];
        const double after = end < n ? static_cast<double>((*now)[end]) : now->local[size - 1];
        for (long i = 0; i < size; ++i) {
          const double west = i > 0 ? now->local[i - 1] : before;
          const double east = i + 1 < size ? now->local[i + 1] : after;
          next->local[i] = now->local[i] + 0.2 * (west + east - 2 * now->local[i]);
        }
      }
      dash::barrier();  // all units have read `now` and written `next`
      std::swap(now, next);
    }
    // --8<-- [end:loop]

    const double sum = dash::reduce(now->begin(), now->end(), 0.0);
    if (dash::myid() == 0) {
      std::printf("sum %.3f\n", sum);
      for (long i = 0; i < n; i += 4)
        std::printf("%6.3f", static_cast<double>((*now)[i]));
      std::printf("\n");
    }
    is_right = std::abs(sum - 100) < 1e-9;
    dash::barrier();
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
// --8<-- [end:program]
