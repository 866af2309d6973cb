// The code of docs/reference/futures.md: two copies and a scalar product, with continuations and as a coroutine.
// dash-example: units=1,2,4
#include <libdash.h>

#include <numeric>
#include <utility>
#include <vector>

// --8<-- [start:coroutine]
dash::Task<double> dot_of_ends(dash::Array<double>& array, std::vector<double>& a,
                               std::vector<double>& b) {
  auto left =
      dash::copy_async(array.begin(), array.begin() + static_cast<long>(a.size()), a.data());
  auto right = dash::copy_async(array.end() - static_cast<long>(b.size()), array.end(), b.data());
  co_await std::move(left);
  co_await std::move(right);
  co_return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
// --8<-- [end:coroutine]

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool is_right = false;
  {
    const long n = 10;
    dash::Array<double> array(1000);
    dash::generate_with_index(array, [](long i) { return static_cast<double>(i); });
    dash::barrier();
    std::vector<double> a(n);
    std::vector<double> b(n);
    // --8<-- [start:then]
    auto left = dash::copy_async(array.begin(), array.begin() + n, a.data());
    auto right = dash::copy_async(array.end() - n, array.end(), b.data());
    dash::Future<double> dot = dash::when_all(std::move(left), std::move(right)).then([&](auto) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    });
    // ... other work ...
    const double value = dot.get();
    // --8<-- [end:then]
    // --8<-- [start:start]
    const double same = dot_of_ends(array, a, b).start().get();
    // --8<-- [end:start]
    double expected = 0;
    for (long i = 0; i < n; ++i)
      expected += static_cast<double>(i * (990 + i));
    is_right = value == expected && same == expected;
    dash::barrier();
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
