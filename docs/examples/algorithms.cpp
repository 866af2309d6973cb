// Collective algorithms, in which each unit processes the elements that it owns: generate_with_index,
// for_each, reduce, fill.
// dash-example: units=1,3,4
#include <libdash.h>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    const long n = 100000;
    dash::Array<double> x(static_cast<std::size_t>(n));
    dash::generate_with_index(x.begin(), x.end(),
                              [](long i) { return (static_cast<double>(i) + 0.5) / n; });
    x.barrier();
    // Pi as an integral: evaluates the function at each point; all units receive the sum.
    dash::for_each(x.begin(), x.end(), [](double& value) { value = 4 / (1 + value * value); });
    const double pi = dash::reduce(x.begin(), x.end(), 0.0) / n;
    wrong += pi > 3.14159265 && pi < 3.14159266 ? 0 : 1;

    // Fills a sub-range. The elements next to it do not change.
    dash::fill(x.begin() + 10, x.begin() + 20, 0.0);
    x.barrier();
    wrong += x[9] > 3 && x[10] == 0 && x[19] == 0 && x[20] > 3 ? 0 : 1;
    x.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
