#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "dash/algorithm/internal/matrix/MatrixBlock.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// c = a * b, or c += a * b, in native memory and by the calling thread: by the BLAS of the setting
/// DART_BLAS, or by a kernel of our own.
/// \pre one of the strides of each of them is 1, and c overlaps neither a nor b
/// \threads any
DASH_API void multiply(const ProductExtents& extents, const MatrixBlock<const double>& a,
                       const MatrixBlock<const double>& b, const MatrixBlock<double>& c, bool add);
/// \overload
DASH_API void multiply(const ProductExtents& extents, const MatrixBlock<const float>& a,
                       const MatrixBlock<const float>& b, const MatrixBlock<float>& c, bool add);

/// \overload for elements of other types: a loop that the compiler vectorises
template <class T>
void multiply(const ProductExtents& extents, const MatrixBlock<const T>& a,
              const MatrixBlock<const T>& b, const MatrixBlock<T>& c, bool add) {
  if (c.col_stride != 1 && c.row_stride == 1) {
    multiply<T>({extents.n, extents.m, extents.k}, b.transposed(), a.transposed(), c.transposed(),
                add);
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
        const T factor = a(i, p);
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

/// What multiplies doubles and floats.
DASH_API std::string product_library();

/// While one lives, a BLAS that has threads of its own uses the calling one only: the workers of the
/// unit are those that compute.
class DASH_API OneThreadedProducts {
 public:
  OneThreadedProducts();
  OneThreadedProducts(const OneThreadedProducts&) = delete;
  OneThreadedProducts& operator=(const OneThreadedProducts&) = delete;
  ~OneThreadedProducts();
};

}  // namespace dash::internal
