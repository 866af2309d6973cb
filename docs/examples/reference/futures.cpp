// The code of docs/reference/futures.md: two copies and a scalar product, with continuations and as a coroutine; and
// sums in the order in which they are ready.
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
    // --8<-- [start:wait-any]
    std::vector<dash::Future<double>> blocks;
    for (long begin = 0; begin < 1000; begin += 100) {
      blocks.push_back(dash::async([&array, begin] {
        std::vector<double> block(100);
        dash::copy(array.begin() + begin, array.begin() + begin + 100, block.data());
        return std::accumulate(block.begin(), block.end(), 0.0);
      }));
    }
    double sum = 0;  // in the order in which the blocks are ready
    for (std::size_t i; (i = dash::wait_any(blocks)) != dash::no_future; blocks[i] = {})
      sum += blocks[i].get();
    // --8<-- [end:wait-any]
    double expected = 0;
    for (long i = 0; i < n; ++i)
      expected += static_cast<double>(i * (990 + i));
    is_right = value == expected && same == expected && sum == 499500;
    dash::barrier();
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
