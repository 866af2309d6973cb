// dash-bench: units=1,2,8 layouts=node,nolocal quick=node,nolocal
//
// PRK transpose (Prk.h): b += transposed a, a += 1, compared with messages of blocks. Verified:
// each element of b.

#include <dash/Matrix.h>
#include <dash/algorithm/ForEach.h>
#include <dash/algorithm/Transpose.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "micro/prk/Prk.h"

using namespace dash::bench;

namespace {

/// Assigns to each element its number in the whole matrix.
void number_elements(std::span<double> rows, std::size_t first) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<double>(first + i);
}

/// \param first_row  of the rows of b
void verify_sums(std::span<const double> b, std::size_t first_row, std::size_t n, int iterations,
                 const char* what) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto transposed = static_cast<double>(i % n * n + first_row + i / n);
    require(b[i] == iterations * transposed + iterations * (iterations - 1) / 2, what);
  }
}

class DashTranspose {
 public:
  explicit DashTranspose(std::size_t n)
      : _n(n), _a(n, n, dash::BLOCKED, dash::NONE), _b(n, n, dash::BLOCKED, dash::NONE) {
    number_elements({_a.lbegin(), _a.local_size()}, first_row() * n);
  }

  void run() {
    dash::transpose(_a, _b, std::plus<>());
    dash::for_each(dash::par_unseq, _a, [](double& element) { element += 1; });
    ++_iterations;
  }
  void verify() const {
    verify_sums({_b.lbegin(), _b.local_size()}, first_row(), _n, _iterations, "transpose (DASH)");
  }

 private:
  std::size_t first_row() const {
    return static_cast<std::size_t>(_a.team().myid().id) * _a.local_size() / _n;
  }

  std::size_t _n;
  dash::NArray<double, 2> _a;
  dash::NArray<double, 2> _b;
  int _iterations = 0;
};

/// Matrices in blocks of rows, one for each process.
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
    number_elements(_a, _me * _width * n);
  }

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
    ++_iterations;
  }

  void verify() const { verify_sums(_b, _me * _width, _n, _iterations, "transpose (MPI)"); }

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
  int _iterations = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    for (const std::size_t n : {256, 1024, 2048}) {
      DashTranspose ours(n);
      MpiTranspose theirs(world, n);
      compare_kernel(world, table,
                     {"transpose and add", fmt::format("{0} x {0}", n), "MPI_Isend of blocks"},
                     ours, theirs);
    }
    if (world.is_first_unit()) table.print();
  });
}
