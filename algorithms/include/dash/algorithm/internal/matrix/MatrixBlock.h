#pragma once

#include <cstddef>

namespace dash::internal {

/// A matrix in native memory, or a submatrix: element (i, j) is data[i * row_stride + j *
/// col_stride].
template <class T>
struct MatrixBlock {
  T* data = nullptr;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t col_stride = 0;

  /// The submatrix that begins at an element.
  MatrixBlock at(std::ptrdiff_t row, std::ptrdiff_t col) const {
    return {data + row * row_stride + col * col_stride, row_stride, col_stride};
  }
  T& operator()(std::ptrdiff_t row, std::ptrdiff_t col) const { return *at(row, col).data; }
  MatrixBlock transposed() const { return {data, col_stride, row_stride}; }
  operator MatrixBlock<const T>() const {  // NOLINT: as T* to const T*
    return {data, row_stride, col_stride};
  }
};

/// Converts a block with strides in bytes to one with strides in elements.
template <class T, class Byte>
MatrixBlock<T> typed(const MatrixBlock<Byte>& block) {
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  return {reinterpret_cast<T*>(block.data), block.row_stride / size, block.col_stride / size};
}

/// Extents of a product C = A * B: C is m x n, A is m x k, B is k x n.
struct ProductExtents {
  std::ptrdiff_t m = 0;
  std::ptrdiff_t n = 0;
  std::ptrdiff_t k = 0;
};

}  // namespace dash::internal
