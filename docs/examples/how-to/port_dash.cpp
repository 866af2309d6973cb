// A program for DASH 0.4, and the same steps in a form that this library makes possible. Both give the same result.
// docs/how-to/port-from-dash.md compares them.
// dash-example: units=1,2,3,4,7
#include <libdash.h>

#include <cstdio>
#include <vector>

namespace {

using dash::Array;

constexpr long per_unit = 1000;

/// Each unit receives the last element of its left neighbour and subtracts it from its elements.
/// \returns the sum of the squares of all elements
double as_in_dash04(Array<double>& values) {
  // --8<-- [start:before]
  const int me = dash::myid();
  const int size = static_cast<int>(dash::size());
  const int right = (me + 1) % size;
  Array<double> halo(size);
  Array<dash::Atomic<int>> arrived(size);
  dash::fill(arrived.begin(), arrived.end(), 0);
  dash::barrier();

  // Sends the last element to the right neighbour, and notifies it.
  const double* last = values.lend() - 1;
  dash::copy_async(last, last + 1, halo.begin() + right);
  halo.flush();
  int one = 1;
  arrived.async[right].add(&one);
  arrived.flush();
  while (!arrived[me].compare_exchange(1, 0)) {
  }

  for (double* value = values.lbegin(); value != values.lend(); ++value)
    *value -= halo.local[0];

  // The sum of all units.
  Array<double> sums(size);
  for (const double value : values.local)
    sums.local[0] += value * value;
  dash::barrier();
  const double sum = dash::reduce(sums.begin(), sums.end(), 0.0);
  dash::barrier();
  // --8<-- [end:before]
  return sum;
}

double with_this_library(Array<double>& values) {
  // --8<-- [start:after]
  const int me = dash::myid();
  const int size = static_cast<int>(dash::size());
  const dash::team_unit_t right((me + 1) % size);
  Array<double> halo(size);
  dash::SignalArray arrived;

  // One operation sends the element and notifies the neighbour, which sleeps until then.
  dash::put_signal(values.lend() - 1, values.lend(), halo.begin() + right.id, arrived(right), 1);
  arrived[0].wait_until(1);

  // All cores of the unit take part.
  const double left = halo.local[0];
  dash::for_each(values.begin(), values.end(), [left](double& value) { value -= left; });
  return dash::transform_reduce(values.begin(), values.end(), 0.0, dash::plus<double>(),
                                [](double value) { return value * value; });
  // --8<-- [end:after]
}

}  // namespace

int main(int argc, char* argv[]) {
  dash::init(&argc, &argv);
  double sums[2] = {};
  for (int version = 0; version < 2; ++version) {
    Array<double> values(per_unit * dash::size());
    dash::generate_with_index(values.begin(), values.end(),
                              [](auto index) { return static_cast<double>(index % 7); });
    values.barrier();
    sums[version] = version == 0 ? as_in_dash04(values) : with_this_library(values);
  }
  const bool equal = sums[0] == sums[1];  // exact, since all values are integers
  if (dash::myid() == 0)
    std::printf("sum of squares %.0f, %s\n", sums[0], equal ? "equal" : "NOT EQUAL");
  dash::finalize();
  return equal ? 0 : 1;
}
