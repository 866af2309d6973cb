#pragma once

// Compiled for several instruction sets: nothing from other headers may be inlined here, which the
// linker might then take for all.

namespace dash::internal {

/// The product of a panel of A with `rows` rows and one of B with `cols` columns, which lie in memory
/// as they are used: `rows` elements of A's first column, then of the second; `cols` of B's first row.
template <class T>
struct MicroKernel {
  int rows;
  int cols;
  /// c[i * row_stride + j] = (or, if `add`, +=) the sum of a[p * rows + i] * b[p * cols + j], p < k
  void (*multiply)(long k, const T* a, const T* b, T* c, long row_stride, bool add);
};

/// For processors that have these instructions, and for all.
template <class T>
MicroKernel<T> avx512_kernel();
template <class T>
MicroKernel<T> avx2_kernel();
template <class T>
MicroKernel<T> base_kernel();

namespace {

/// Sums in registers: `Rows` times two vectors of `VectorBytes` bytes.
template <class T, int VectorBytes, int Rows>
struct RegisterTile {
  using Vector [[gnu::vector_size(VectorBytes)]] = T;
  static constexpr int lanes = VectorBytes / int{sizeof(T)};

  static void multiply(long k, const T* a, const T* b, T* c, long row_stride, bool add) {
    Vector sum[Rows][2] = {};
    for (long p = 0; p < k; ++p) {
      Vector b0;
      Vector b1;
      __builtin_memcpy(&b0, b, sizeof(b0));
      __builtin_memcpy(&b1, b + lanes, sizeof(b1));
#pragma GCC unroll 16
      for (int i = 0; i < Rows; ++i) {
        sum[i][0] += a[i] * b0;
        sum[i][1] += a[i] * b1;
      }
      a += Rows;
      b += 2 * lanes;
    }
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
      for (int j = 0; j < 2; ++j) {
        T* const to = c + i * row_stride + j * lanes;
        Vector before{};
        if (add) __builtin_memcpy(&before, to, sizeof(before));
        const Vector after = before + sum[i][j];
        __builtin_memcpy(to, &after, sizeof(after));
      }
    }
  }

  static constexpr MicroKernel<T> kernel() {
    return {Rows, 2 * lanes, &multiply};
  }
};

}  // namespace

}  // namespace dash::internal
