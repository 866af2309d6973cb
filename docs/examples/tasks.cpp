// Tasks that wait without blocking a processor, and their futures.
// dash-example: units=1,2,4
#include <libdash.h>

#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    constexpr long n = 1000;
    dash::Array<long> array(n * dash::size());
    std::iota(array.lbegin(), array.lend(), n * dash::myid());
    array.barrier();

    // One task for each unit's part. While a task waits for its copy, others run.
    std::vector<dash::Future<long>> sums;
    for (const long unit : array.team()) {
      sums.push_back(dash::async([&array, unit] {
        std::vector<long> part(n);
        const auto first = array.begin() + n * unit;
        dash::copy_async(first, first + n, part.data()).wait();
        return std::accumulate(part.begin(), part.end(), 0L);
      }));
    }
    long total = 0;
    for (auto& sum : sums)
      total += sum.get();

    const auto size = static_cast<long>(array.size());
    wrong += total == size * (size - 1) / 2 ? 0 : 1;
    array.barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
