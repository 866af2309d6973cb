#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

#include "dash/algorithm/internal/matrix/MatrixBlock.h"
#include "matrix/gemm/MicroKernel.h"

namespace dash::internal {

/// A product by panels that are packed for the caches: a panel of B for the second- and third-level
/// caches, a panel of A for the second-level cache, and a sliver of B for the first-level cache.
/// \see K. Goto, R. A. van de Geijn, Anatomy of high-performance matrix multiplication, 2008
template <class T>
class PackedProduct {
 public:
  explicit PackedProduct(const MicroKernel<T>& kernel) : _kernel(kernel) {}

  /// Computes c = alpha * a * b, or c += alpha * a * b if `add`.
  void run(const ProductExtents& extents, T alpha, const MatrixBlock<const T>& a,
           const MatrixBlock<const T>& b, const MatrixBlock<T>& c, bool add) {
    if (c.col_stride != 1 && c.row_stride == 1) {
      run({extents.n, extents.m, extents.k}, alpha, b.transposed(), a.transposed(), c.transposed(),
          add);
      return;
    }
    reserve(extents);
    for (long col = 0; col < extents.n; col += max_cols) {
      const long ncols = std::min(max_cols, extents.n - col);
      for (long p = 0; p < extents.k; p += max_depth) {
        const long depth = std::min(max_depth, extents.k - p);
        pack(_b.get(), b.at(p, col).transposed(), ncols, depth, _kernel.cols);
        for (long row = 0; row < extents.m; row += max_rows) {
          const long nrows = std::min(max_rows, extents.m - row);
          pack(_a.get(), a.at(row, p), nrows, depth, _kernel.rows);
          if (alpha != T{1}) scale(_a.get(), rounded_up(nrows, _kernel.rows) * depth, alpha);
          multiply_packed(nrows, ncols, depth, c.at(row, col), add || p > 0);
        }
      }
    }
  }

 private:
  static constexpr long max_depth = 2048 / static_cast<long>(sizeof(T));
  static constexpr long max_rows = 192;
  static constexpr long max_cols = 1024;

  static long rounded_up(long n, long to) { return (n + to - 1) / to * to; }

  void reserve(const ProductExtents& extents) {
    const long depth = std::min(max_depth, extents.k);
    const auto elements = [depth](long n, long to) {
      return static_cast<std::size_t>(rounded_up(n, to) * depth);
    };
    _a = std::make_unique_for_overwrite<T[]>(elements(std::min(max_rows, extents.m), _kernel.rows));
    _b = std::make_unique_for_overwrite<T[]>(elements(std::min(max_cols, extents.n), _kernel.cols));
  }

  /// Packs rows into slivers of `height` rows, each stored column by column. The last sliver is
  /// padded with zeros.
  static void pack(T* to, const MatrixBlock<const T>& from, long rows, long cols, long height) {
    for (long row = 0; row < rows; row += height) {
      const long used_rows = std::min(height, rows - row);
      const auto sliver = from.at(row, 0);
      if (used_rows < height) std::fill(to, to + height * cols, T{});
      if (sliver.row_stride == 1) {
        for (long p = 0; p < cols; ++p)
          std::copy_n(sliver.data + p * sliver.col_stride, used_rows, to + p * height);
      } else {
        for (long i = 0; i < used_rows; ++i) {
          const T* const line = sliver.data + i * sliver.row_stride;
          for (long p = 0; p < cols; ++p)
            to[p * height + i] = line[p * sliver.col_stride];
        }
      }
      to += height * cols;
    }
  }

  static void scale(T* values, long n, T factor) {
    for (long i = 0; i < n; ++i)
      values[i] *= factor;
  }

  void multiply_packed(long rows, long cols, long depth, const MatrixBlock<T>& c, bool add) const {
    const T* b = _b.get();
    for (long col = 0; col < cols; col += _kernel.cols, b += _kernel.cols * depth) {
      const T* a = _a.get();
      for (long row = 0; row < rows; row += _kernel.rows, a += _kernel.rows * depth) {
        const auto tile = c.at(row, col);
        if (c.col_stride == 1 && rows - row >= _kernel.rows && cols - col >= _kernel.cols) {
          _kernel.multiply(depth, a, b, tile.data, tile.row_stride, add);
          continue;
        }
        // An incomplete tile at the edge, or a column stride that the kernel does not support.
        std::array<T, 1024> whole;
        _kernel.multiply(depth, a, b, whole.data(), _kernel.cols, false);
        for (long i = 0; i < std::min<long>(rows - row, _kernel.rows); ++i) {
          for (long j = 0; j < std::min<long>(cols - col, _kernel.cols); ++j) {
            const T sum = whole[static_cast<std::size_t>(i * _kernel.cols + j)];
            T& element = *tile.at(i, j).data;
            element = add ? element + sum : sum;
          }
        }
      }
    }
  }

  MicroKernel<T> _kernel;
  std::unique_ptr<T[]> _a;
  std::unique_ptr<T[]> _b;
};

}  // namespace dash::internal
