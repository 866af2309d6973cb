// Copies between units that overlap with a computation: start, compute, wait.
// dash-example: units=1,2,4
#include <libdash.h>

#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    constexpr int n = 10000;
    dash::Array<int> values(n * dash::size());
    std::iota(values.lbegin(), values.lend(), n * dash::myid());
    values.barrier();

    const int next = (dash::myid() + 1) % static_cast<int>(dash::size());
    const auto first = values.begin() + n * next;
    std::vector<int> arrived(n);

    // The future is ready when all elements are in `arrived`. You can wait for it, test it and chain it.
    dash::Future<int*> copied = dash::copy_async(first, first + n, arrived.data());
    const long long mine = std::accumulate(values.lbegin(), values.lend(), 0LL);
    const int* const end = copied.get();

    wrong += end == arrived.data() + n ? 0 : 1;
    wrong += arrived.front() == n * next ? 0 : 1;
    wrong += arrived.back() == n * (next + 1) - 1 ? 0 : 1;
    const long long begin_of_mine = n * dash::myid();
    wrong += mine == n * (2 * begin_of_mine + n - 1) / 2 ? 0 : 1;

    // A continuation runs after the copy.
    auto sum = dash::copy_async(first, first + n, arrived.data()).then([&](int* last) {
      return std::accumulate(arrived.data(), last, 0LL);
    });
    wrong += sum.get() == std::accumulate(arrived.begin(), arrived.end(), 0LL) ? 0 : 1;
    values.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
