// dash-test: serial link=objects process=own

#include "dash/algorithm/internal/matrix/LocalProduct.h"

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "dash/Exception.h"
#include "dash/core/Settings.h"
#include "matrix/gemm/Blas.h"
#include "matrix/gemm/MicroKernel.h"
#include "matrix/gemm/PackedProduct.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::internal::MatrixBlock;
using dash::internal::ProductExtents;

namespace {

using Random = std::mt19937;

std::ptrdiff_t pick(Random& random, std::ptrdiff_t least, std::ptrdiff_t most) {
  return std::uniform_int_distribution<std::ptrdiff_t>(least, most)(random);
}

/// A matrix in row-major or column-major order, with guard elements before and after it.
template <class T>
struct Operand {
  std::vector<T> memory;
  MatrixBlock<T> block;

  Operand(Random& random, std::ptrdiff_t rows, std::ptrdiff_t cols) {
    const bool by_rows = pick(random, 0, 1) == 1;
    const std::ptrdiff_t ld = (by_rows ? cols : rows) + pick(random, 0, 3);
    memory.resize(static_cast<std::size_t>(ld * (by_rows ? rows : cols) + 2));
    for (T& element : memory)
      element = static_cast<T>(pick(random, -4, 4));
    block = {memory.data() + 1, by_rows ? ld : 1, by_rows ? 1 : ld};
  }
};

template <class T>
using Multiply = std::function<void(const ProductExtents&, T alpha, const MatrixBlock<const T>&,
                                    const MatrixBlock<const T>&, const MatrixBlock<T>&, bool)>;

/// Computes products of integers, which are exact, of many shapes.
/// \returns the number of wrong elements
template <class T>
int count_wrong(const Multiply<T>& multiply) {
  Random random(dash::test::seed());
  int wrong = 0;
  for (int round = 0; round < 150; ++round) {
    const ProductExtents extents{pick(random, 1, round % 15 == 0 ? 220 : 50), pick(random, 1, 70),
                                 pick(random, 1, round % 10 == 0 ? 600 : 40)};
    const Operand<T> a(random, extents.m, extents.k);
    const Operand<T> b(random, extents.k, extents.n);
    Operand<T> c(random, extents.m, extents.n);
    Operand<T> expected = c;
    const MatrixBlock<T> of_expected{expected.memory.data() + 1, c.block.row_stride,
                                     c.block.col_stride};
    const bool add = pick(random, 0, 1) == 1;
    const auto alpha = static_cast<T>(pick(random, -2, 2));
    for (std::ptrdiff_t i = 0; i < extents.m; ++i) {
      for (std::ptrdiff_t j = 0; j < extents.n; ++j) {
        T sum = add ? of_expected(i, j) : T{};
        // Without the accessors, which are slow in sanitized builds.
        const T* const from_a = &a.block(i, 0);
        const T* const from_b = &b.block(0, j);
        const std::ptrdiff_t stride_a = a.block.col_stride;
        const std::ptrdiff_t stride_b = b.block.row_stride;
        for (std::ptrdiff_t p = 0; p < extents.k; ++p)
          sum = static_cast<T>(sum + alpha * from_a[p * stride_a] * from_b[p * stride_b]);
        of_expected(i, j) = sum;
      }
    }
    multiply(extents, alpha, a.block, b.block, c.block, add);
    wrong += c.memory == expected.memory ? 0 : 1;
  }
  return wrong;
}

template <class T>
Multiply<T> by_kernel(const dash::internal::MicroKernel<T>& kernel) {
  return [kernel](const auto& extents, T alpha, const auto& a, const auto& b, const auto& c,
                  bool add) {
    dash::internal::PackedProduct<T>(kernel).run(extents, alpha, a, b, c, add);
  };
}

template <class T>
Multiply<T> by_library() {
  return [](const auto& extents, T alpha, const auto& a, const auto& b, const auto& c, bool add) {
    dash::internal::multiply(extents, alpha, a, b, c, add);
  };
}

void set_blas(const char* name) {
  setenv("DART_BLAS", name, 1);
  dash::core::load_settings();
}

}  // namespace

TEST_CASE("the kernel for any processor computes exact products of integers") {
  CHECK(count_wrong<double>(by_kernel(dash::internal::base_kernel<double>())) == 0);
  CHECK(count_wrong<float>(by_kernel(dash::internal::base_kernel<float>())) == 0);
}

#if defined(__x86_64__)
TEST_CASE("the AVX2 kernel computes exact products of integers") {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    DASH_SKIP("the processor does not have the instructions");
  CHECK(count_wrong<double>(by_kernel(dash::internal::avx2_kernel<double>())) == 0);
  CHECK(count_wrong<float>(by_kernel(dash::internal::avx2_kernel<float>())) == 0);
}

TEST_CASE("the AVX-512 kernel computes exact products of integers") {
  if (!__builtin_cpu_supports("avx512f")) DASH_SKIP("the processor does not have the instructions");
  CHECK(count_wrong<double>(by_kernel(dash::internal::avx512_kernel<double>())) == 0);
  CHECK(count_wrong<float>(by_kernel(dash::internal::avx512_kernel<float>())) == 0);
}
#endif  // __x86_64__

TEST_CASE("products of integer types are exact") {
  CHECK(count_wrong<int>(by_library<int>()) == 0);
  CHECK(count_wrong<short>(by_library<short>()) == 0);
  CHECK(count_wrong<long double>(by_library<long double>()) == 0);
}

TEST_CASE("a product with a missing BLAS library throws with its name") {
  set_blas("libnot-there.so.0");
  CHECK_THROWS_WITH(dash::internal::product_library(),
                    Catch::Matchers::ContainsSubstring("libnot-there.so.0"));
  CHECK_THROWS_AS(dash::internal::OneThreadedProducts(), dash::exception::InvalidArgument);
}

// Must be the last case: the first library that is found is used for the life of the process.
TEST_CASE("the BLAS that the setting names computes exact products of integers") {
  set_blas("libblas.so.3");
  CHECK(dash::internal::product_library() == "libblas.so.3");
  const dash::internal::OneThreadedProducts limit;
  REQUIRE(dash::internal::Blas::instance() != nullptr);
  CHECK(dash::internal::Blas::instance()->threads() == 1);
  CHECK(count_wrong<double>(by_library<double>()) == 0);
  CHECK(count_wrong<float>(by_library<float>()) == 0);
}
