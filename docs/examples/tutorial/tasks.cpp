// Tutorial, chapter 6: tasks that fetch remote data, and tasks that are ordered by the memory they use.
// dash-example: units=1,2,4,7
// --8<-- [start:program]
#include <libdash.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

namespace tasks = dash::tasks;

constexpr long per_unit = 1000;
constexpr int sweeps = 20;

// --8<-- [start:sums]
// The sum of the elements of a unit, computed by a task. While it waits for its copy, other tasks run.
dash::Future<double> sum_of_unit(dash::Array<double>& values, long unit) {
  return dash::async([&values, unit] {
    std::vector<double> part(per_unit);
    const auto first = values.begin() + unit * per_unit;
    dash::copy_async(first, first + per_unit, part.data()).wait();
    return std::accumulate(part.begin(), part.end(), 0.0);
  });
}
// --8<-- [end:sums]

// --8<-- [start:sweep]
// Each element becomes the mean of itself and its left neighbour, which has already been updated.
void sweep(double left, double* first, double* last) {
  for (; first != last; ++first)
    left = *first = 0.5 * (left + *first);
}
// --8<-- [end:sweep]

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool is_right = true;
  {
    const auto me = static_cast<long>(dash::myid());
    const auto size = static_cast<long>(dash::size());
    dash::Array<double> values(per_unit * size);
    std::iota(values.lbegin(), values.lend(), static_cast<double>(me * per_unit));
    values.barrier();

    // --8<-- [start:async]
    if (me == 0) {
      std::vector<dash::Future<double>> sums;
      for (long unit = 0; unit < size; ++unit)
        sums.push_back(sum_of_unit(values, unit));
      for (long unit = 0; unit < size; ++unit)
        std::printf("sum of unit %ld: %.0f\n", unit, sums[static_cast<std::size_t>(unit)].get());
    }
    values.barrier();
    // --8<-- [end:async]

    // --8<-- [start:pipeline]
    std::vector<double> left(sweeps, 1.0);  // unit 0 has no left neighbour: its left value is 1
    for (int i = 0; i < sweeps; ++i) {
      double* const from_left = &left[static_cast<std::size_t>(i)];
      const auto run = [&values, from_left] { sweep(*from_left, values.lbegin(), values.lend()); };
      const auto own = tasks::inout(values.lbegin(), per_unit);
      if (me == 0)
        tasks::async(run, own);
      else
        tasks::async(run, own,
                     tasks::copyin(dash::GlobPtr<double>(values.begin() + (me * per_unit - 1)), 1,
                                   from_left));
      tasks::phase();
    }
    tasks::wait();
    // --8<-- [end:pipeline]

    // --8<-- [start:result]
    const double last = values[per_unit * size - 1];
    if (me == 0) std::printf("last element after %d sweeps: %.3f\n", sweeps, last);
    // --8<-- [end:result]

    // One unit does the same without tasks.
    std::vector<double> expected(static_cast<std::size_t>(per_unit * size));
    std::iota(expected.begin(), expected.end(), 0.0);
    for (int i = 0; i < sweeps; ++i)
      sweep(1.0, expected.data(), expected.data() + expected.size());
    is_right = std::equal(values.lbegin(), values.lend(), expected.begin() + me * per_unit);
    values.barrier();
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
// --8<-- [end:program]
