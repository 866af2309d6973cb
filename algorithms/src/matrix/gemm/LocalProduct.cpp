#include "dash/algorithm/internal/matrix/LocalProduct.h"

#include <mutex>

#include "matrix/gemm/Blas.h"
#include "matrix/gemm/MicroKernel.h"
#include "matrix/gemm/PackedProduct.h"

namespace dash::internal {

namespace {

template <class T>
MicroKernel<T> best_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return avx512_kernel<T>();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2_kernel<T>();
#endif
  return base_kernel<T>();
}

template <class T>
void multiply_floating(const ProductExtents& extents, T alpha, const MatrixBlock<const T>& a,
                       const MatrixBlock<const T>& b, const MatrixBlock<T>& c, bool add) {
  const Blas* const blas = Blas::instance();
  if (blas != nullptr && blas->multiply(extents, alpha, a, b, c, add)) return;
  PackedProduct<T>(best_kernel<T>()).run(extents, alpha, a, b, c, add);
}

/// The number of products in progress, and the number of threads of the library before them.
struct ThreadLimit {
  std::mutex mutex;
  int products = 0;
  int threads = 1;
};

ThreadLimit& thread_limit() {
  static ThreadLimit limit;
  return limit;
}

}  // namespace

void multiply(const ProductExtents& extents, double alpha, const MatrixBlock<const double>& a,
              const MatrixBlock<const double>& b, const MatrixBlock<double>& c, bool add) {
  multiply_floating(extents, alpha, a, b, c, add);
}

void multiply(const ProductExtents& extents, float alpha, const MatrixBlock<const float>& a,
              const MatrixBlock<const float>& b, const MatrixBlock<float>& c, bool add) {
  multiply_floating(extents, alpha, a, b, c, add);
}

std::string product_library() {
  const Blas* const blas = Blas::instance();
  if (blas != nullptr) return blas->name();
  return "built-in kernel, vectors of " + std::to_string(best_kernel<double>().cols * 4) + " bytes";
}

OneThreadedProducts::OneThreadedProducts() {
  const Blas* const blas = Blas::instance();
  if (blas == nullptr) return;
  ThreadLimit& limit = thread_limit();
  const std::lock_guard lock(limit.mutex);
  if (limit.products++ > 0) return;
  limit.threads = blas->threads();
  if (limit.threads != 1) blas->set_threads(1);
}

OneThreadedProducts::~OneThreadedProducts() {
  const Blas* const blas = Blas::instance();
  if (blas == nullptr) return;
  ThreadLimit& limit = thread_limit();
  const std::lock_guard lock(limit.mutex);
  if (--limit.products == 0 && limit.threads != 1) blas->set_threads(limit.threads);
}

}  // namespace dash::internal
