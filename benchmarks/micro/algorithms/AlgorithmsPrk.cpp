// dash-bench: units=1,2,8 layouts=node,nolocal quick=node,nolocal
//
// Kernels in the style of the Parallel Research Kernels (https://github.com/ParRes/Kernels), written from their public
// description, with MPI as the baseline: nstream (a += b + s * c) and transpose (b += transposed a, a += 1).

#include <dash/Array.h>
#include <dash/Init.h>
#include <dash/Matrix.h>
#include <dash/algorithm/ForEach.h>
#include <dash/algorithm/Transform.h>
#include <dash/algorithm/Transpose.h>
#include <dash/algorithm/Zip.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr double scalar = 3;
const Goal goal = ratio_at_most(1.02);

/// An action of all units, which ends with a barrier, timed from a barrier on.
Candidate timed(std::function<void()> run) {
  return [run = std::move(run)] {
    MPI_Barrier(MPI_COMM_WORLD);
    return measure_ns_per_call(1, [&](long) { run(); });
  };
}

void require(bool is_correct, const char* what) {
  if (!is_correct) throw std::runtime_error(fmt::format("the result of {} is wrong", what));
}

void compare_nstream(const World& world, Table& table, std::size_t per_unit) {
  const std::size_t n = per_unit * static_cast<std::size_t>(world.units());
  dash::Array<double> a(n);
  dash::Array<double> b(n);
  dash::Array<double> c(n);
  std::vector<double> plain_a(per_unit);
  std::vector<double> plain_b(per_unit, 2);
  std::vector<double> plain_c(per_unit, 2);
  std::fill(b.lbegin(), b.lend(), 2);
  std::fill(c.lbegin(), c.lend(), 2);
  const Candidate baseline = timed([&] {
    double* const to = plain_a.data();
    const double* const from_b = plain_b.data();
    const double* const from_c = plain_c.data();
#pragma GCC ivdep
    for (std::size_t i = 0; i < per_unit; ++i)
      to[i] += from_b[i] + scalar * from_c[i];
    MPI_Barrier(MPI_COMM_WORLD);
  });
  double passes = 0;
  const auto add = [&](const char* name, const std::function<void()>& run) {
    const Candidate ours = timed([&] {
      run();
      ++passes;
    });
    const Outcome outcome = compare(ours, baseline);
    if (!world.is_first_unit()) return;
    table.add(
        make_row(name, fmt::format("{} doubles", per_unit), "loop and MPI_Barrier", outcome, goal));
  };
  add("nstream, for_each of zip", [&] {
    dash::for_each(dash::par_unseq, dash::zip(a, b, c),
                   [](double& to, double of_b, double of_c) { to += of_b + scalar * of_c; });
  });
  add("nstream, transform of three ranges", [&] {
    dash::transform(dash::par_unseq, a, b, c, a, [](double before, double of_b, double of_c) {
      return before + of_b + scalar * of_c;
    });
  });
  const auto is_sum = [&](double element) { return element == passes * (2 + scalar * 2); };
  require(std::all_of(a.lbegin(), a.lend(), is_sum), "nstream");
}

/// The transposition of a matrix in blocks of columns, one for each process.
class MpiTranspose {
 public:
  MpiTranspose(const World& world, std::size_t n)
      : _units(static_cast<std::size_t>(world.units())),
        _me(static_cast<std::size_t>(world.unit())),
        _n(n),
        _width(n / _units),
        _a(n * _width),
        _b(n * _width),
        _out(_units > 1 ? _width * _width : 0),
        _in(_out.size()) {
    for (std::size_t row = 0; row < _width; ++row) {
      for (std::size_t col = 0; col < n; ++col)
        _a[row * n + col] = static_cast<double>((_me * _width + row) * n + col);
    }
  }

  /// b += transposed a, a += 1, for blocks of rows.
  void run() {
    add_transposed(&_a[_me * _width], &_b[_me * _width], _n);
    for (std::size_t phase = 1; phase < _units; ++phase) {
      const std::size_t to = (_me + phase) % _units;
      const std::size_t from = (_me + _units - phase) % _units;
      MPI_Request requests[2];
      MPI_Irecv(_in.data(), static_cast<int>(_in.size()), MPI_DOUBLE, static_cast<int>(from), 0,
                MPI_COMM_WORLD, &requests[0]);
      pack(&_a[to * _width]);
      MPI_Isend(_out.data(), static_cast<int>(_out.size()), MPI_DOUBLE, static_cast<int>(to), 0,
                MPI_COMM_WORLD, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      for (std::size_t row = 0; row < _width; ++row) {
        double* const to_row = &_b[row * _n + from * _width];
        const double* const from_row = &_in[row * _width];
        for (std::size_t col = 0; col < _width; ++col)
          to_row[col] += from_row[col];
      }
    }
    for (double& element : _a)
      element += 1;
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  static constexpr std::size_t tile = 32;

  /// Calls body(row, col) for the elements of a block, tile by tile.
  template <class Body>
  void for_each_of_block(const Body& body) const {
    for (std::size_t row = 0; row < _width; row += tile) {
      for (std::size_t col = 0; col < _width; col += tile) {
        for (std::size_t i = row; i < std::min(row + tile, _width); ++i) {
          for (std::size_t j = col; j < std::min(col + tile, _width); ++j)
            body(i, j);
        }
      }
    }
  }
  void add_transposed(const double* from, double* to, std::size_t stride) const {
    for_each_of_block(
        [&](std::size_t i, std::size_t j) { to[i * stride + j] += from[j * _n + i]; });
  }
  void pack(const double* from) {
    for_each_of_block(
        [&](std::size_t i, std::size_t j) { _out[i * _width + j] = from[j * _n + i]; });
  }

  std::size_t _units;
  std::size_t _me;
  std::size_t _n;
  std::size_t _width;
  std::vector<double> _a;
  std::vector<double> _b;
  std::vector<double> _out;
  std::vector<double> _in;
};

void compare_transpose(const World& world, Table& table, std::size_t n) {
  dash::NArray<double, 2> a(n, n, dash::BLOCKED, dash::NONE);
  dash::NArray<double, 2> b(n, n, dash::BLOCKED, dash::NONE);
  const auto first = static_cast<std::size_t>(world.unit()) * a.local_size();
  for (std::size_t i = 0; i < a.local_size(); ++i)
    a.lbegin()[i] = static_cast<double>(first + i);
  MpiTranspose theirs(world, n);
  double times = 0;
  const Candidate ours = timed([&] {
    dash::transpose(a, b, std::plus<>());
    dash::for_each(dash::par_unseq, a, [](double& element) { element += 1; });
    ++times;
  });
  const Outcome outcome = compare(ours, timed([&] { theirs.run(); }));
  // The sum of the elements of all passes, in the last row of the unit.
  const std::size_t row = first / n + a.local_size() / n - 1;
  const double expected = times * static_cast<double>((n - 1) * n + row) + times * (times - 1) / 2;
  require(b.lbegin()[b.local_size() - 1] == expected, "transpose");
  if (!world.is_first_unit()) return;
  table.add(make_row("transpose and add", fmt::format("{0} x {0}", n), "MPI_Isend of blocks",
                     outcome, goal));
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    for (const std::size_t per_unit : {1U << 14, 1U << 20})
      compare_nstream(world, table, per_unit);
    for (const std::size_t n : {256, 1024, 2048})
      compare_transpose(world, table, n);
    if (world.is_first_unit()) table.print();
  });
}
