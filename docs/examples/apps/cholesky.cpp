// A tiled Cholesky factorization: tasks of all units, ordered by the tiles that they use.
// dash-example: units=1,2,3,4,7 layouts=node,nolocal
#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

namespace {

namespace tasks = dash::tasks;

using Matrix = dash::Matrix<double, 2>;  // stores tile by tile

// --8<-- [start:kernels]
/// The operations on tiles of n by n elements, row by row. BLAS and LAPACK have faster ones.
class Kernels {
 public:
  explicit Kernels(long n) : _n(n) {}

  /// Replaces the lower half of a tile by its Cholesky factor (LAPACK: potrf).
  void factorize(double* a) const {
    for (long i = 0; i < _n; ++i) {
      for (long j = 0; j < i; ++j)
        a[i * _n + j] = (a[i * _n + j] - dot(a, i, a, j, j)) / a[j * _n + j];
      const double square = a[i * _n + i] - dot(a, i, a, i, i);
      if (!(square > 0)) throw std::domain_error("the matrix is not positive definite");
      a[i * _n + i] = std::sqrt(square);
    }
  }
  /// Replaces a by the solution x of x * transposed(factor) = a (BLAS: trsm).
  void solve(const double* factor, double* a) const {
    for (long i = 0; i < _n; ++i)
      for (long j = 0; j < _n; ++j)
        a[i * _n + j] = (a[i * _n + j] - dot(a, i, factor, j, j)) / factor[j * _n + j];
  }
  /// Subtracts a * transposed(b) from c (BLAS: syrk, gemm).
  void subtract_product(const double* a, const double* b, double* c) const {
    for (long i = 0; i < _n; ++i)
      for (long j = 0; j < _n; ++j)
        c[i * _n + j] -= dot(a, i, b, j, _n);
  }

 private:
  /// The product of the first `count` elements of two rows.
  double dot(const double* a, long i, const double* b, long j, long count) const {
    double sum = 0;
    for (long k = 0; k < count; ++k)
      sum += a[i * _n + k] * b[j * _n + k];
    return sum;
  }
  long _n;
};
// --8<-- [end:kernels]

/// Replaces the lower half of a symmetric matrix by its Cholesky factor.
class Factorization {
 public:
  Factorization(Matrix& matrix, long tile_extent)
      : _matrix(matrix),
        _kernels(tile_extent),
        _extent(tile_extent),
        _num_tiles(static_cast<long>(matrix.extent(0)) / tile_extent),
        _copies(static_cast<std::size_t>(depth * _num_tiles * tile_size())),
        _copied(static_cast<std::size_t>(_num_tiles), -1) {}

  // --8<-- [start:phases]
  /// \throws std::domain_error or, on other units, dash::exception::RuntimeError if the matrix is
  ///         not positive definite
  void run() {
    for (long k = 0; k < _num_tiles; ++k) {
      create_factorization(k);
      tasks::phase();
      create_solutions(k);
      tasks::phase();
      create_updates(k);  // in the same phase as the next factorization
    }
    tasks::wait();
  }
  // --8<-- [end:phases]

 private:
  /// Number of columns of tiles that may be in progress at a time.
  static constexpr long depth = 3;

  long tile_size() const { return _extent * _extent; }

  // --8<-- [start:tiles]
  /// The first element of a tile. A tile is contiguous in the memory of one unit.
  dash::GlobPtr<double> tile(long i, long j) const {
    return dash::GlobPtr<double>(_matrix.gptr_at({i * _extent, j * _extent}));
  }

  /// The address at which tasks of the caller read a tile of column k. A tile of another unit is
  /// copied: the tasks that read it wait for the copy, and the copy for the tasks that write it.
  const double* readable_tile(long i, long k) {
    const dash::GlobPtr<double> source = tile(i, k);
    if (source.is_local()) return source.local();
    double* const copy = _copies.data() + (k % depth * _num_tiles + i) * tile_size();
    long& last_copied = _copied[static_cast<std::size_t>(i)];
    if (last_copied != k) tasks::async([] {}, tasks::copyin(source, tile_size(), copy));
    last_copied = k;
    return copy;
  }
  // --8<-- [end:tiles]

  // --8<-- [start:tasks]
  void create_factorization(long k) {
    if (!tile(k, k).is_local()) return;
    double* const diagonal = tile(k, k).local();
    tasks::async([this, diagonal] { _kernels.factorize(diagonal); },
                 tasks::inout(diagonal, tile_size()), tasks::priority::high);
  }

  void create_solutions(long k) {
    for (long i = k + 1; i < _num_tiles; ++i) {
      if (!tile(i, k).is_local()) continue;
      const double* const diagonal = readable_tile(k, k);
      double* const own = tile(i, k).local();
      tasks::async([this, diagonal, own] { _kernels.solve(diagonal, own); },
                   tasks::in(diagonal, tile_size()), tasks::inout(own, tile_size()),
                   tasks::priority::high);
    }
  }

  void create_updates(long k) {
    for (long j = k + 1; j < _num_tiles; ++j) {
      for (long i = j; i < _num_tiles; ++i) {
        if (!tile(i, j).is_local()) continue;
        const double* const left = readable_tile(i, k);
        const double* const right = readable_tile(j, k);
        double* const own = tile(i, j).local();
        tasks::async([this, left, right, own] { _kernels.subtract_product(left, right, own); },
                     tasks::in(left, tile_size()), tasks::in(right, tile_size()),
                     tasks::inout(own, tile_size()));
      }
    }
  }
  // --8<-- [end:tasks]

  Matrix& _matrix;
  Kernels _kernels;
  long _extent;
  long _num_tiles;
  std::vector<double> _copies;
  std::vector<long> _copied;  // the column of the last tile in each row that was copied
};

/// The covariance of points on a line: it decreases exponentially with the distance of two points.
constexpr double correlation = 0.9;
double covariance(long i, long j) {
  return std::pow(correlation, static_cast<double>(std::abs(i - j)));
}
/// The logarithm of the determinant of the covariance matrix.
double exact_log_determinant(long n) {
  return static_cast<double>(n - 1) * std::log(1 - correlation * correlation);
}

// --8<-- [start:check]
/// Copies the lower half of the matrix, row by row.
std::vector<double> copy_factor(const Matrix& matrix, long extent) {
  const auto n = static_cast<long>(matrix.extent(0));
  std::vector<double> factor(static_cast<std::size_t>(n * n));
  std::vector<double> tile(static_cast<std::size_t>(extent * extent));
  for (long i = 0; i < n / extent; ++i) {
    for (long j = 0; j <= i; ++j) {
      const auto block = matrix.block({i, j});
      dash::copy(block.begin(), block.end(), tile.data());
      for (long row = 0; row < extent; ++row)
        std::copy_n(tile.begin() + row * extent, extent,
                    factor.begin() + (i * extent + row) * n + j * extent);
    }
  }
  return factor;
}

/// The norm of A - L * transposed(L), relative to that of A. Each unit computes some rows.
double relative_residual(const std::vector<double>& factor, long n) {
  std::array<double, 2> squares{};
  for (long i = dash::myid(); i < n; i += static_cast<long>(dash::size())) {
    for (long j = 0; j <= i; ++j) {
      double difference = covariance(i, j);
      squares[1] += difference * difference;
      for (long k = 0; k <= j; ++k)
        difference -= factor[static_cast<std::size_t>(i * n + k)] *
                      factor[static_cast<std::size_t>(j * n + k)];
      squares[0] += difference * difference;
    }
  }
  dash::allreduce_async(squares.data(), squares.data(), 2, dash::plus<double>()).wait();
  return std::sqrt(squares[0] / squares[1]);
}
// --8<-- [end:check]

int run(long num_tiles, long extent) {
  const long n = num_tiles * extent;
  // --8<-- [start:matrix]
  dash::TeamSpec<2> grid(dash::Team::All());
  grid.balance_extents();
  Matrix matrix(dash::SizeSpec<2>(n, n),
                dash::DistributionSpec<2>(dash::TILE(extent), dash::TILE(extent)),
                dash::Team::All(), grid);
  dash::for_each_with_index(matrix.begin(), matrix.end(), [&](double& element, long index) {
    const auto at = matrix.pattern().coords(index);
    element = covariance(at[0], at[1]);
  });
  matrix.barrier();
  // --8<-- [end:matrix]

  Factorization(matrix, extent).run();

  const std::vector<double> factor = copy_factor(matrix, extent);
  const double residual = relative_residual(factor, n);
  double log_determinant = 0;
  for (long i = 0; i < n; ++i)
    log_determinant += 2 * std::log(factor[static_cast<std::size_t>(i * n + i)]);
  const double exact = exact_log_determinant(n);
  const bool is_right = residual < 1e-14 && std::abs(log_determinant - exact) < 1e-10 * n;
  if (dash::myid() == 0) {
    std::printf("%ld x %ld elements in %ld x %ld tiles\n", n, n, num_tiles, num_tiles);
    std::printf("logarithm of the determinant: %.6f, exact: %.6f\n", log_determinant, exact);
    std::printf("|| A - L * transposed(L) || / || A || %s 1e-14\n", residual < 1e-14 ? "<" : ">=");
  }
  matrix.barrier();
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  const long num_tiles = argc > 1 ? std::atol(argv[1]) : 12;
  const long extent = argc > 2 ? std::atol(argv[2]) : 16;
  int result = 1;
  if (num_tiles > 0 && extent > 0) {
    result = run(num_tiles, extent);
  } else if (dash::myid() == 0) {
    std::fprintf(stderr, "cholesky: expected positive numbers of tiles and of rows of a tile\n");
  }
  dash::finalize();
  return result;
}
