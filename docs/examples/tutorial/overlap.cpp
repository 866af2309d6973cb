// Tutorial, chapter 5: the same analysis with blocking copies, and with copies that overlap with the computation.
// dash-example: units=1,2,4
// --8<-- [start:program]
#include <libdash.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <vector>

using Data = dash::Array<double>;

constexpr long block_size = 1 << 18;  // elements: 2 MiB
constexpr long blocks_per_unit = 24;

// --8<-- [start:analyse]
// Adds up the square roots of the elements, computed by Newton's method.
double analyse(const std::vector<double>& elements) {
  double sum = 0;
  for (const double x : elements) {
    double root = 1;
    for (int i = 0; i < 4; ++i)
      root = 0.5 * (root + x / root);
    sum += root;
  }
  return sum;
}
// --8<-- [end:analyse]

// --8<-- [start:blocking]
double analyse_blocking(Data& data) {
  double sum = 0;
  std::vector<double> buffer(block_size);
  for (auto first = data.begin(); first != data.end(); first += block_size) {
    dash::copy(first, first + block_size, buffer.data());
    sum += analyse(buffer);
  }
  return sum;
}
// --8<-- [end:blocking]

// --8<-- [start:overlapped]
double analyse_overlapped(Data& data) {
  double sum = 0;
  std::array<std::vector<double>, 2> buffers{std::vector<double>(block_size),
                                             std::vector<double>(block_size)};
  auto first = data.begin();
  dash::Future<double*> arriving = dash::copy_async(first, first + block_size, buffers[0].data());
  for (int current = 0; first != data.end(); current = 1 - current) {
    arriving.wait();  // buffers[current] is complete
    first += block_size;
    if (first != data.end())
      arriving = dash::copy_async(first, first + block_size, buffers[1 - current].data());
    sum += analyse(buffers[current]);  // while the next block arrives
  }
  return sum;
}
// --8<-- [end:overlapped]

// Calls a function, and names its call in the timeline.
template <typename Function>
double milliseconds(const char* name, Function&& function) {
  dash::util::Trace trace;
  trace.enter_state(name);
  const auto begin = std::chrono::steady_clock::now();
  function();
  const auto end = std::chrono::steady_clock::now();
  trace.exit_state(name);
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool is_right = true;
  {
    // --8<-- [start:data]
    Data data(block_size * blocks_per_unit * static_cast<long>(dash::size()));
    std::iota(data.lbegin(), data.lend(), 1.0);
    data.barrier();
    // --8<-- [end:data]
    // --8<-- [start:compare]
    if (dash::myid() == 0) {
      std::vector<double> blocking;
      std::vector<double> overlapped;
      double expected = 0;
      double sum = 0;
      for (int round = 0; round < 5; ++round) {  // alternately: other programs disturb both alike
        blocking.push_back(milliseconds("blocking", [&] { expected = analyse_blocking(data); }));
        overlapped.push_back(milliseconds("overlapped", [&] { sum = analyse_overlapped(data); }));
      }
      std::printf("one after the other: %.1f ms\n", median(blocking));
      std::printf("overlapped:          %.1f ms\n", median(overlapped));
      is_right = sum == expected;
    }
    dash::barrier();
    // --8<-- [end:compare]
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
// --8<-- [end:program]
