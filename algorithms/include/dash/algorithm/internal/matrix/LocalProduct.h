#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "dash/algorithm/internal/matrix/MatrixBlock.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// Computes c = alpha * a * b, or c += alpha * a * b if `add`, in native memory on the calling thread, with the
/// BLAS that the setting DART_BLAS selects or with the built-in kernel.
/// \pre each matrix has a stride of 1, and c overlaps neither a nor b
/// \threads thread-safe
DASH_API void multiply(const ProductExtents& extents, double alpha,
                       const MatrixBlock<const double>& a, const MatrixBlock<const double>& b,
                       const MatrixBlock<double>& c, bool add);
/// \overload
DASH_API void multiply(const ProductExtents& extents, float alpha,
                       const MatrixBlock<const float>& a, const MatrixBlock<const float>& b,
                       const MatrixBlock<float>& c, bool add);

/// \overload for other element types: a loop that the compiler vectorizes
template <class T>
void multiply(const ProductExtents& extents, const T& alpha, const MatrixBlock<const T>& a,
              const MatrixBlock<const T>& b, const MatrixBlock<T>& c, bool add) {
  if (c.col_stride != 1 && c.row_stride == 1) {
    multiply<T>({extents.n, extents.m, extents.k}, alpha, b.transposed(), a.transposed(),
                c.transposed(), add);
    return;
  }
  constexpr std::ptrdiff_t depth = 128;  // rows of b that stay in a cache
  for (std::ptrdiff_t begin = 0; begin < extents.k; begin += depth) {
    const std::ptrdiff_t end = std::min(begin + depth, extents.k);
    for (std::ptrdiff_t i = 0; i < extents.m; ++i) {
      if (begin == 0 && !add) {
        for (std::ptrdiff_t j = 0; j < extents.n; ++j)
          c(i, j) = T{};
      }
      for (std::ptrdiff_t p = begin; p < end; ++p) {
        const T factor = static_cast<T>(alpha * a(i, p));
        T* const to = &c(i, 0);
        const T* const from = &b(p, 0);
        for (std::ptrdiff_t j = 0; j < extents.n; ++j) {
          T& element = to[j * c.col_stride];
          element = static_cast<T>(element + factor * from[j * b.col_stride]);
        }
      }
    }
  }
}

/// Multiplies each element of c by a factor. Not used for a factor of 0, since c may contain NaN.
template <class T>
void scale(std::ptrdiff_t rows, std::ptrdiff_t cols, const T& factor, const MatrixBlock<T>& c) {
  if (c.col_stride != 1 && c.row_stride == 1) return scale(cols, rows, factor, c.transposed());
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    for (std::ptrdiff_t j = 0; j < cols; ++j)
      c(i, j) = static_cast<T>(factor * c(i, j));
  }
}

/// Description of the library or kernel that multiplies doubles and floats.
DASH_API std::string product_library();

/// While an object of this class exists, a multithreaded BLAS uses only the calling thread, because
/// the workers of the unit call it in parallel.
class DASH_API OneThreadedProducts {
 public:
  OneThreadedProducts();
  OneThreadedProducts(const OneThreadedProducts&) = delete;
  OneThreadedProducts& operator=(const OneThreadedProducts&) = delete;
  ~OneThreadedProducts();
};

}  // namespace dash::internal
