// Named phases of a program in the timeline. Each unit copies the block of its neighbour and computes: first one after
// the other, then at the same time.
// dash-example: units=1,2,3
#include <libdash.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr long block_size = 1 << 17;  // elements: 1 MiB
constexpr int steps = 40;

double compute(const std::vector<double>& elements) {
  return std::accumulate(elements.begin(), elements.end(), 0.0,
                         [](double sum, double x) { return sum + std::sqrt(x) + std::cbrt(x); });
}

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool is_right = true;
  {
    dash::Array<double> data(block_size * static_cast<long>(dash::size()));
    std::fill(data.lbegin(), data.lend(), 1.0);
    data.barrier();
    const auto next = (dash::myid() + 1) % static_cast<long>(dash::size());
    const auto first = data.begin() + next * block_size;
    const std::vector<double> own(data.lbegin(), data.lend());
    std::vector<double> other(block_size);
    double sum = 0;

    // --8<-- [start:phases]
    dash::util::Trace trace;
    trace.enter_state("blocking copies");
    for (int step = 0; step < steps; ++step) {
      dash::copy(first, first + block_size, other.data());
      sum += compute(own);
    }
    trace.exit_state("blocking copies");
    data.barrier();

    trace.enter_state("asynchronous copies");
    for (int step = 0; step < steps; ++step) {
      dash::Future<double*> arriving = dash::copy_async(first, first + block_size, other.data());
      sum += compute(own);  // while the block arrives
      arriving.wait();
    }
    trace.exit_state("asynchronous copies");
    // --8<-- [end:phases]
    data.barrier();
    is_right = sum == 2.0 * 2 * steps * block_size && other.back() == 1.0;
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
