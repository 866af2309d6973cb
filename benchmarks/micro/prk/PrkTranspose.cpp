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
        _out(_units > 1 ? (_units - 1) * _width * _width : 0),
        _in(_units > 1 ? (_units - 1) * _width * _width : 0),
        _requests(2 * _units) {
    number_elements(_a, _me * _width * n);
  }

  void run() {
    const auto num_phases = static_cast<int>(_units) - 1;
    const auto block = static_cast<int>(_width * _width);
    MPI_Request* const receives = _requests.data();
    MPI_Request* const sends = receives + num_phases;
    for (int phase = 1; phase <= num_phases; ++phase) {
      MPI_Irecv(block_of(_in, phase), block, MPI_DOUBLE, static_cast<int>(source(phase)), 0,
                MPI_COMM_WORLD, &receives[phase - 1]);
    }
    for (int phase = 1; phase <= num_phases; ++phase) {
      const std::size_t to = (_me + static_cast<std::size_t>(phase)) % _units;
      pack(&_a[to * _width], block_of(_out, phase));
      MPI_Isend(block_of(_out, phase), block, MPI_DOUBLE, static_cast<int>(to), 0, MPI_COMM_WORLD,
                &sends[phase - 1]);
    }
    add_transposed(&_a[_me * _width], &_b[_me * _width], _n);
    for (int n = 0; n < num_phases; ++n) {
      int index = 0;
      MPI_Waitany(num_phases, receives, &index, MPI_STATUS_IGNORE);
      const double* const from = block_of(_in, index + 1);
      const std::size_t first = source(index + 1) * _width;
      for (std::size_t row = 0; row < _width; ++row) {
        double* const to_row = &_b[row * _n + first];
        for (std::size_t col = 0; col < _width; ++col)
          to_row[col] += from[row * _width + col];
      }
    }
    MPI_Waitall(num_phases, sends, MPI_STATUSES_IGNORE);
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
  void pack(const double* from, double* to) const {
    for_each_of_block([&](std::size_t i, std::size_t j) { to[i * _width + j] = from[j * _n + i]; });
  }
  std::size_t source(int phase) const {
    return (_me + _units - static_cast<std::size_t>(phase)) % _units;
  }
  double* block_of(Large<double>& blocks, int phase) const {
    return blocks.data() + static_cast<std::size_t>(phase - 1) * _width * _width;
  }

  std::size_t _units;
  std::size_t _me;
  std::size_t _n;
  std::size_t _width;
  Large<double> _a;
  Large<double> _b;
  Large<double> _out;
  Large<double> _in;
  std::vector<MPI_Request> _requests;
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
