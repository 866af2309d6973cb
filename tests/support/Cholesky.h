#pragma once

/// \file
/// A blocked Cholesky factorization, used by tests and benchmarks of tasks with dependencies.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Tasks.h"

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m,
            const int* n, const double* alpha, const double* a, const int* lda, double* b,
            const int* ldb);
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* beta, double* c, const int* ldc);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc);
}

namespace dash::test {

/// The four kernels, on tiles of nb by nb elements, column by column.
class TileKernels {
 public:
  explicit TileKernels(int nb) noexcept : _nb(nb) {}

  /// \throws std::domain_error if the tile is not positive definite
  void potrf(double* a) const {
    int info = 0;
    dpotrf_("L", &_nb, a, &_nb, &info);
    if (info != 0) throw std::domain_error("the matrix is not positive definite");
  }
  void trsm(const double* diagonal, double* a) const {
    dtrsm_("R", "L", "T", "N", &_nb, &_nb, &one, diagonal, &_nb, a, &_nb);
  }
  /// c -= a * transposed b; of c on the diagonal only the lower half counts
  void update(const double* a, const double* b, double* c) const {
    if (a == b) {
      dsyrk_("L", "N", &_nb, &_nb, &minus_one, a, &_nb, &one, c, &_nb);
    } else {
      dgemm_("N", "T", &_nb, &_nb, &_nb, &minus_one, a, &_nb, b, &_nb, &one, c, &_nb);
    }
  }

 private:
  static constexpr double one = 1;
  static constexpr double minus_one = -1;
  int _nb;
};

/// An element of the matrix to factorize, which is symmetric and, due to its diagonal, positive
/// definite.
inline double matrix_element(std::size_t row, std::size_t column, std::size_t n) {
  const std::uint64_t low = std::min(row, column);
  const std::uint64_t high = std::max(row, column);
  const std::uint64_t mixed = (high * 2654435761U + low * 40503U) % 1000003U;
  return static_cast<double>(mixed) / 1000003.0 + (row == column ? static_cast<double>(n) : 0);
}

/// The lower half of a matrix of tiles; rows of tiles are assigned to units in alternating order, which
/// balances the load, since each row is longer than the previous one.
class TiledMatrix {
 public:
  TiledMatrix(std::size_t ntiles, std::size_t nb)
      : _ntiles(ntiles), _nb(nb), _units(dash::size()), _array(per_unit() * _units) {}

  std::size_t ntiles() const { return _ntiles; }
  std::size_t nb() const { return _nb; }
  std::size_t n() const { return _ntiles * _nb; }
  std::size_t tile_size() const { return _nb * _nb; }

  bool is_mine(std::size_t i) const {
    return unit_of(i) == static_cast<std::size_t>(dash::myid().id);
  }
  /// \pre is_mine(i)
  double* local(std::size_t i, std::size_t j) { return _array.lbegin() + place(i, j); }
  dash::GlobPtr<double> tile(std::size_t i, std::size_t j) {
    const std::size_t index = unit_of(i) * per_unit() + place(i, j);
    return dash::GlobPtr<double>((_array.begin() + static_cast<long>(index)).dart_gptr());
  }

  template <class Element>
  void fill(const Element& element) {
    for (std::size_t i = 0; i < _ntiles; ++i) {
      for (std::size_t j = 0; is_mine(i) && j <= i; ++j) {
        for (std::size_t k = 0; k < tile_size(); ++k)
          local(i, j)[k] = element(i * _nb + k % _nb, j * _nb + k / _nb);
      }
    }
  }

 private:
  std::size_t unit_of(std::size_t i) const {
    const std::size_t k = i % _units;
    return i / _units % 2 == 0 ? k : _units - 1 - k;
  }
  std::size_t per_unit() const {
    const std::size_t rows = (_ntiles + _units - 1) / _units;
    return rows * _ntiles * tile_size();
  }
  std::size_t place(std::size_t i, std::size_t j) const {
    return (i / _units * _ntiles + j) * tile_size();
  }

  std::size_t _ntiles;
  std::size_t _nb;
  std::size_t _units;
  dash::Array<double> _array;
};

/// Factorizes the matrix by tasks on all units, each of which computes its tiles.
/// \collective over all units
class TaskCholesky {
 public:
  explicit TaskCholesky(TiledMatrix& matrix)
      : _matrix(matrix),
        _kernels(static_cast<int>(matrix.nb())),
        _buffers(depth * matrix.ntiles() * matrix.tile_size()) {}

  /// \throws any exception of tasks::wait()
  void run() {
    for (std::size_t k = 0; k < _matrix.ntiles(); ++k) {
      factorize(k);
      tasks::phase();
      solve(k);
      tasks::phase();
      update(k);
    }
    tasks::wait();
  }

 private:
  /// Maximum number of columns in progress at once.
  static constexpr std::size_t depth = 4;

  void factorize(std::size_t k) {
    if (!_matrix.is_mine(k)) return;
    double* const diagonal = _matrix.local(k, k);
    tasks::async([this, diagonal] { _kernels.potrf(diagonal); },
                 tasks::inout(diagonal, _matrix.tile_size()), tasks::priority::high);
  }

  void solve(std::size_t k) {
    for (std::size_t i = k + 1; i < _matrix.ntiles(); ++i) {
      if (!_matrix.is_mine(i)) continue;
      double* const tile = _matrix.local(i, k);
      with_tile(k, k, [&](const double* diagonal, const auto& diagonal_is_available) {
        tasks::async([this, diagonal, tile] { _kernels.trsm(diagonal, tile); },
                     diagonal_is_available, tasks::inout(tile, _matrix.tile_size()),
                     tasks::priority::high);
      });
    }
  }

  void update(std::size_t k) {
    for (std::size_t i = k + 1; i < _matrix.ntiles(); ++i) {
      for (std::size_t j = k + 1; _matrix.is_mine(i) && j <= i; ++j) {
        const double* const left = _matrix.local(i, k);
        double* const target = _matrix.local(i, j);
        // Tasks that the next column needs come first.
        const auto which = j == k + 1 ? tasks::priority::high : tasks::priority::normal;
        with_tile(j, k, [&](const double* right, const auto& right_is_available) {
          tasks::async([this, left, right, target] { _kernels.update(left, right, target); },
                       tasks::in(left, _matrix.tile_size()), right_is_available,
                       tasks::inout(target, _matrix.tile_size()), which);
        });
      }
    }
  }

  /// Calls make(address, dependency) for a tile of any unit.
  template <class Make>
  void with_tile(std::size_t i, std::size_t k, const Make& make) {
    if (_matrix.is_mine(i)) {
      const double* const own = _matrix.local(i, k);
      make(own, tasks::in(own, _matrix.tile_size()));
    } else {
      double* const copy =
          _buffers.data() + (k % depth * _matrix.ntiles() + i) * _matrix.tile_size();
      make(copy, tasks::copyin(_matrix.tile(i, k), _matrix.tile_size(), copy));
    }
  }

  TiledMatrix& _matrix;
  TileKernels _kernels;
  std::vector<double> _buffers;
};

}  // namespace dash::test
