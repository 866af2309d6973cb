// dash-bench: units=1,2,8 layouts=node,nolocal quick=node
//
// PRK dgemm (Prk.h): c += a * b, compared with SUMMA on a grid of processes with MPI_Bcast. Both
// use one thread of each unit and the same product of local blocks. Verified: the sum of the
// elements of c.

#include <dash/Matrix.h>
#include <dash/algorithm/SUMMA.h>
#include <dash/pattern/MakePattern.h>
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>

#include "micro/prk/Prk.h"

using namespace dash::bench;

namespace {

/// The elements of a and b are the numbers of their columns. \collective
void verify_sum(std::span<const double> c, std::size_t n, int iterations, const char* what) {
  const auto extent = static_cast<double>(n);
  const double sum_of_row = extent * (extent - 1) / 2;
  const double expected = extent * sum_of_row * sum_of_row * iterations;
  require(is_close(sum_of_units(std::accumulate(c.begin(), c.end(), 0.0)), expected), what);
}

auto pattern_of(std::size_t n) {
  return dash::make_pattern<dash::summa_pattern_partitioning_constraints,
                            dash::summa_pattern_mapping_constraints,
                            dash::summa_pattern_layout_constraints>(dash::SizeSpec<2>(n, n));
}

class DashProduct {
 public:
  explicit DashProduct(std::size_t n)
      : _n(n), _a(pattern_of(n)), _b(pattern_of(n)), _c(pattern_of(n)) {
    const auto& pattern = _a.pattern();
    for (std::size_t i = 0; i < _a.local_size(); ++i) {
      const auto local = static_cast<Pattern::index_type>(i);
      const auto coords = pattern.global_coords(_a.team().myid(), local);
      _a.lbegin()[i] = _b.lbegin()[i] = static_cast<double>(coords[1]);
    }
  }

  void run() {
    dash::summa(dash::seq, 1, _a, _b, 1, _c);
    ++_iterations;
  }
  void verify() const {
    verify_sum({_c.lbegin(), _c.local_size()}, _n, _iterations, "dgemm (DASH)");
  }

 private:
  using Pattern = decltype(pattern_of(0));
  using Matrix = dash::Matrix<double, 2, Pattern::index_type, Pattern>;

  std::size_t _n;
  Matrix _a;
  Matrix _b;
  Matrix _c;
  int _iterations = 0;
};

/// Each process has a block of each matrix. A step multiplies a panel of columns of a with a panel
/// of rows of b, which their owners broadcast in their row or column of processes while the step before multiplies.
class MpiProduct {
 public:
  MpiProduct(const World& world, std::size_t n) : _n(n) {
    int grid[2] = {0, 0};
    MPI_Dims_create(world.units(), 2, grid);
    _row = world.unit() / grid[1];
    _col = world.unit() % grid[1];
    MPI_Comm_split(MPI_COMM_WORLD, _row, _col, &_row_comm);
    MPI_Comm_split(MPI_COMM_WORLD, _col, _row, &_col_comm);
    _rows = n / static_cast<std::size_t>(grid[0]);
    _cols = n / static_cast<std::size_t>(grid[1]);
    _depth = std::min({_rows, _cols, std::size_t{512}});
    _a.resize(_rows * _cols);
    _b.resize(_rows * _cols);
    _c.resize(_rows * _cols);
    for (int i = 0; i < 2; ++i) {
      _panels_of_a[i].resize(_rows * _depth);
      _panels_of_b[i].resize(_depth * _cols);
    }
    const std::size_t first = static_cast<std::size_t>(_col) * _cols;
    for (std::size_t i = 0; i < _b.size(); ++i)
      _b[i] = static_cast<double>(first + i % _cols);
    for (std::size_t i = 0; i < _a.size(); ++i) {
      const std::size_t panel = i / (_rows * _depth);
      _a[i] = static_cast<double>(first + panel * _depth + i % _depth);
    }
  }
  ~MpiProduct() {
    MPI_Comm_free(&_row_comm);
    MPI_Comm_free(&_col_comm);
  }
  MpiProduct(const MpiProduct&) = delete;
  MpiProduct& operator=(const MpiProduct&) = delete;

  void run() {
    const dash::internal::OneThreadedProducts limit;
    const auto rows = static_cast<std::ptrdiff_t>(_rows);
    const auto cols = static_cast<std::ptrdiff_t>(_cols);
    const auto depth = static_cast<std::ptrdiff_t>(_depth);
    Step current = start(0);
    for (std::size_t k = 0; k < _n; k += _depth) {
      const Step following = k + _depth < _n ? start(k + _depth) : Step{};
      MPI_Waitall(2, current.requests, MPI_STATUSES_IGNORE);
      dash::internal::multiply({rows, cols, depth}, 1, {current.a, depth, 1}, {current.b, cols, 1},
                               {_c.data(), cols, 1}, true);
      current = following;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    ++_iterations;
  }
  void verify() const { verify_sum(_c, _n, _iterations, "dgemm (MPI)"); }

 private:
  /// The panels of a step, and their broadcasts.
  struct Step {
    const double* a = nullptr;
    const double* b = nullptr;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  };

  /// Starts the broadcasts of the step that begins at index k of the inner dimension.
  Step start(std::size_t k) {
    const std::size_t buffer = k / _depth % 2;
    Step step;
    step.a = broadcast(_a, k, _cols, _col, _row_comm, _panels_of_a[buffer], step.requests[0]);
    step.b = broadcast(_b, k, _rows, _row, _col_comm, _panels_of_b[buffer], step.requests[1]);
    return step;
  }
  /// \param extent  of a block in that dimension
  /// \returns the panel, in the block if the caller owns it, otherwise in `buffer`
  const double* broadcast(Large<double>& block, std::size_t k, std::size_t extent, int me,
                          MPI_Comm comm, Large<double>& buffer, MPI_Request& request) const {
    const int owner = static_cast<int>(k / extent);
    double* const panel = owner == me ? &block[k % extent / _depth * buffer.size()] : buffer.data();
    MPI_Ibcast(panel, static_cast<int>(buffer.size()), MPI_DOUBLE, owner, comm, &request);
    return panel;
  }

  std::size_t _n;
  int _row = 0;
  int _col = 0;
  MPI_Comm _row_comm = MPI_COMM_NULL;
  MPI_Comm _col_comm = MPI_COMM_NULL;
  std::size_t _rows = 0;
  std::size_t _cols = 0;
  std::size_t _depth = 0;
  Large<double> _a;  // panels of `_depth` columns, each contiguous
  Large<double> _b;
  Large<double> _c;
  std::array<Large<double>, 2> _panels_of_a;
  std::array<Large<double>, 2> _panels_of_b;
  int _iterations = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    for (const std::size_t n : {256, 1024}) {
      DashProduct ours(n);
      MpiProduct theirs(world, n);
      compare_kernel(world, table,
                     {"dgemm, summa", fmt::format("{0} x {0}", n), "SUMMA with MPI_Ibcast"}, ours,
                     theirs);
    }
    if (!world.is_first_unit()) return;
    table.add_note("Kernels: " + dash::internal::product_library() + ".");
    table.print();
  });
}
