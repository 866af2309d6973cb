// dash-bench: units=1,2,8 layouts=node,nolocal quick=node,nolocal
//
// PRK nstream (Prk.h): a += b + s * c, compared with a loop on each process. Verified: each element
// of a.

#include <dash/Array.h>
#include <dash/algorithm/ForEach.h>
#include <dash/algorithm/Transform.h>
#include <dash/algorithm/Zip.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "micro/prk/Prk.h"

using namespace dash::bench;

namespace {

constexpr double scalar = 3;
constexpr double value_of_b = 2;
constexpr double value_of_c = 2;

void verify_sums(std::span<const double> a, int iterations, const char* what) {
  const double expected = iterations * (value_of_b + scalar * value_of_c);
  require(std::all_of(a.begin(), a.end(), [&](double element) { return element == expected; }),
          what);
}

/// Arrays of the library, with both forms of the update.
class DashStreams {
 public:
  explicit DashStreams(std::size_t n) : _a(n), _b(n), _c(n) {
    std::fill(_b.lbegin(), _b.lend(), value_of_b);
    std::fill(_c.lbegin(), _c.lend(), value_of_c);
  }

  void run_for_each() {
    dash::for_each(dash::par_unseq, dash::zip(_a, _b, _c),
                   [](double& to, double of_b, double of_c) { to += of_b + scalar * of_c; });
    ++_iterations;
  }
  void run_transform() {
    dash::transform(dash::par_unseq, _a, _b, _c, _a, [](double before, double of_b, double of_c) {
      return before + of_b + scalar * of_c;
    });
    ++_iterations;
  }
  void verify() const { verify_sums({_a.lbegin(), _a.lsize()}, _iterations, "nstream (DASH)"); }

 private:
  dash::Array<double> _a;
  dash::Array<double> _b;
  dash::Array<double> _c;
  int _iterations = 0;
};

struct ForEachOfZip {
  DashStreams& streams;
  void run() { streams.run_for_each(); }
  void verify() const { streams.verify(); }
};

struct TransformOfThree {
  DashStreams& streams;
  void run() { streams.run_transform(); }
  void verify() const { streams.verify(); }
};

class MpiStreams {
 public:
  explicit MpiStreams(std::size_t n) : _a(n), _b(n, value_of_b), _c(n, value_of_c) {}

  void run() {
    double* const to = _a.data();
    const double* const from_b = _b.data();
    const double* const from_c = _c.data();
    const std::size_t n = _a.size();
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i)
      to[i] += from_b[i] + scalar * from_c[i];
    MPI_Barrier(MPI_COMM_WORLD);
    ++_iterations;
  }
  void verify() const {
    verify_sums(_a, _iterations, "nstream (MPI)");
  }

 private:
  Large<double> _a;
  Large<double> _b;
  Large<double> _c;
  int _iterations = 0;
};

void compare_nstream(const World& world, Table& table, std::size_t per_unit) {
  DashStreams streams(per_unit * static_cast<std::size_t>(world.units()));
  MpiStreams theirs(per_unit);
  const auto add = [&](const char* name, auto ours) {
    compare_kernel(world, table,
                   {name, fmt::format("{} doubles", per_unit), "loop and MPI_Barrier"}, ours,
                   theirs);
  };
  add("nstream, for_each of zip", ForEachOfZip{streams});
  add("nstream, transform of three ranges", TransformOfThree{streams});
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    for (const std::size_t per_unit : {1U << 14, 1U << 20})
      compare_nstream(world, table, per_unit);
    if (world.is_first_unit()) table.print();
  });
}
