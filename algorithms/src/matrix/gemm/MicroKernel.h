#pragma once

// This file is compiled for several instruction sets. It must not use inline functions of other
// headers, because the linker might select the version for one instruction set for all callers.

namespace dash::internal {

/// Multiplies a panel of A with `rows` rows by a panel of B with `cols` columns. The panels are
/// packed in the order of use: the `rows` elements of the first column of A, then of the second
/// one, and so on; the `cols` elements of the first row of B, and so on.
template <class T>
struct MicroKernel {
  int rows;
  int cols;
  /// Assigns to (adds to, if `add`) c[i * row_stride + j] the sum over p < k of a[p * rows + i] *
  /// b[p * cols + j].
  void (*multiply)(long k, const T* a, const T* b, T* c, long row_stride, bool add);
};

/// Kernels for AVX-512 and AVX2, which exist on x86-64 only, and for any processor.
template <class T>
MicroKernel<T> avx512_kernel();
template <class T>
MicroKernel<T> avx2_kernel();
template <class T>
MicroKernel<T> base_kernel();

namespace {

/// A tile of C in registers: `Rows` rows of two vectors of `VectorBytes` bytes.
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
