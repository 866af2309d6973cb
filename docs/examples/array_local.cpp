// Owner computes: each unit processes its own elements as native memory, at full speed.
// dash-example: units=1,3,4
#include <libdash.h>

#include <algorithm>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    dash::Array<double> values(1000, dash::CYCLIC);  // element i belongs to unit i % dash::size()

    // Local elements are accessible by pointers, by the range `local`, or by local index.
    std::fill(values.lbegin(), values.lend(), 1.0);
    for (double& value : values.local)
      value *= 2;
    for (std::size_t i = 0; i < values.lsize(); ++i) {
      // The pattern converts a local index to an index of the whole array.
      const auto global = values.pattern().global(static_cast<dash::default_index_t>(i));
      values.local[i] += static_cast<double>(global);
    }
    values.barrier();

    const auto unit = dash::myid();
    const double first_of_next = values[(unit + 1) % values.size()];
    wrong += first_of_next == 2.0 + (unit + 1) % 1000 ? 0 : 1;
    const double sum = dash::reduce(values.begin(), values.end(), 0.0);
    wrong += sum == 2 * 1000 + 999 * 1000 / 2 ? 0 : 1;
    values.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
