// Communication that overlaps with computation: each unit computes with its own block and the blocks of its neighbours.
// dash-example: units=1,2,3 layouts=node,nolocal
#include <libdash.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace {

constexpr long n = 1 << 15;  // elements of a block: 256 KiB

double compute(const double* elements) {
  return std::accumulate(elements, elements + n, 0.0,
                         [](double sum, double x) { return sum + std::floor(std::sqrt(x)); });
}

/// The sums of a unit, its left neighbour and its right neighbour.
struct Sums {
  double own = 0;
  double left = 0;
  double right = 0;
  bool operator==(const Sums&) const = default;
};

/// The same in four ways.
class Exchange {
 public:
  explicit Exchange(const dash::Array<double>& data)
      : _own(data.lbegin()),
        _left(data.begin() + neighbour(-1) * n),
        _right(data.begin() + neighbour(1) * n),
        _from_left(n),
        _from_right(n) {}

  Sums blocking() {
    Sums sums;
    // --8<-- [start:blocking]
    dash::copy(_left, _left + n, _from_left.data());  // waits for the data
    dash::copy(_right, _right + n, _from_right.data());
    sums.own = compute(_own);
    sums.left = compute(_from_left.data());
    sums.right = compute(_from_right.data());
    // --8<-- [end:blocking]
    return sums;
  }

  Sums overlapped() {
    Sums sums;
    // --8<-- [start:async]
    auto left = dash::copy_async(_left, _left + n, _from_left.data());
    auto right = dash::copy_async(_right, _right + n, _from_right.data());
    sums.own = compute(_own);  // while both blocks arrive
    left.wait();
    sums.left = compute(_from_left.data());  // while the other block arrives
    right.wait();
    sums.right = compute(_from_right.data());
    // --8<-- [end:async]
    return sums;
  }

  Sums with_continuations() {
    Sums sums;
    // --8<-- [start:then]
    auto left = dash::copy_async(_left, _left + n, _from_left.data()).then([&](const double*) {
      sums.left = compute(_from_left.data());
    });
    auto right = dash::copy_async(_right, _right + n, _from_right.data()).then([&](const double*) {
      sums.right = compute(_from_right.data());
    });
    sums.own = compute(_own);
    left.get();
    right.get();
    // --8<-- [end:then]
    return sums;
  }

  Sums with_polls() {
    Sums sums;
    auto left = dash::copy_async(_left, _left + n, _from_left.data());
    auto right = dash::copy_async(_right, _right + n, _from_right.data());
    double& sum = sums.own;
    // --8<-- [start:progress]
    for (long i = 0; i < n; ++i) {
      if (i % 4096 == 0) dash::progress();
      sum += std::floor(std::sqrt(_own[i]));
    }
    // --8<-- [end:progress]
    left.wait();
    sums.left = compute(_from_left.data());
    right.wait();
    sums.right = compute(_from_right.data());
    return sums;
  }

 private:
  static long neighbour(long distance) {
    const long size = static_cast<long>(dash::size());
    return (dash::myid().id + size + distance) % size;
  }

  const double* _own;
  dash::Array<double>::const_iterator _left;
  dash::Array<double>::const_iterator _right;
  std::vector<double> _from_left;
  std::vector<double> _from_right;
};

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool is_right = false;
  {
    dash::Array<double> data(n * static_cast<long>(dash::size()));
    dash::generate_with_index(data, [](long i) { return static_cast<double>(i); });
    data.barrier();
    Exchange exchange(data);
    const Sums expected = exchange.blocking();
    is_right = exchange.overlapped() == expected && exchange.with_continuations() == expected &&
               exchange.with_polls() == expected;
    data.barrier();
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
