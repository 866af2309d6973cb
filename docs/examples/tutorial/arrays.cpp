// Tutorial, chapter 2: temperatures along a rod. Owners, access, algorithms and copies.
// dash-example: units=1,2,3,4,7
// --8<-- [start:program]
#include <libdash.h>

#include <algorithm>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  const int me = dash::myid();
  bool is_right = true;
  {
    // --8<-- [start:create]
    dash::Array<double> rod(20);  // temperatures along a rod
    // --8<-- [end:create]

    // --8<-- [start:owners]
    const auto& pattern = rod.pattern();
    if (me == 0) {
      std::printf("owners");
      for (long i = 0; i < 20; ++i)
        std::printf(" %d", static_cast<int>(pattern.unit_at(i)));
      std::printf("\n");
    }
    // --8<-- [end:owners]

    // --8<-- [start:local]
    std::fill(rod.lbegin(), rod.lend(), 20.0);  // the elements of this unit
    for (long i = 0; i < static_cast<long>(rod.lsize()); ++i)
      rod.local[i] += static_cast<double>(pattern.global(i));
    // --8<-- [end:local]

    // --8<-- [start:global]
    dash::barrier();  // all units have written their elements
    if (me == 0) {
      const double last = rod[19];  // reads the memory of the owner
      rod[10] = 100;                // writes to the memory of the owner
      std::printf("last element %g\n", last);
    }
    dash::barrier();  // unit 0 has written element 10
    // --8<-- [end:global]

    // --8<-- [start:fill]
    dash::fill(rod.begin() + 4, rod.begin() + 7, 5.0);  // elements 4, 5 and 6
    dash::Array<double> before(20);
    dash::generate_with_index(before.begin(), before.end(),
                              [](long i) { return 20.0 + static_cast<double>(i); });
    dash::barrier();  // fill and generate do not wait for other units
    // --8<-- [end:fill]

    // --8<-- [start:results]
    dash::Array<double> change(20);
    dash::transform(rod.begin(), rod.end(), before.begin(), change.begin(),
                    [](double now, double then) { return now - then; });
    const double mean = dash::reduce(rod.begin(), rod.end(), 0.0) / 20;
    const auto lowest = dash::min_element(change.begin(), change.end());  // an iterator
    if (me == 0) {
      std::printf("mean %g\n", mean);
      std::printf("element %ld changed by %g\n", static_cast<long>(lowest - change.begin()),
                  static_cast<double>(*lowest));
    }
    // --8<-- [end:results]

    // --8<-- [start:std]
    const auto is_warm = [](double temperature) { return temperature > 30; };
    const long of_dash = static_cast<long>(dash::count_if(rod.begin(), rod.end(), is_warm));
    if (me == 0) {
      // Unit 0 reads all elements.
      const long of_std = std::count_if(rod.begin(), rod.end(), is_warm);
      std::printf("warm elements: %ld and %ld\n", of_dash, of_std);
      is_right = of_dash == 10 && of_std == 10;
    }
    // --8<-- [end:std]

    // --8<-- [start:copy]
    if (me == 0) {
      std::vector<double> middle(10);
      dash::copy(rod.begin() + 5, rod.begin() + 15, middle.data());  // from their owners
      for (double& temperature : middle)
        temperature = std::min(temperature, 50.0);
      dash::copy(middle.data(), middle.data() + 10, rod.begin() + 5);  // to their owners
    }
    dash::barrier();  // unit 0 has written the elements
    const auto hottest = dash::max_element(rod.begin(), rod.end());
    if (me == 0) std::printf("hottest element %g\n", static_cast<double>(*hottest));
    // --8<-- [end:copy]

    is_right = is_right && mean == 30 && lowest - change.begin() == 6 &&
               static_cast<double>(*lowest) == -21 && static_cast<double>(*hottest) == 50;
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
// --8<-- [end:program]
