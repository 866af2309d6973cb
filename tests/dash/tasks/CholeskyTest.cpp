// dash-test: parallel units=1,2,3,4 layouts=node,nolocal modes=auto,thread,poll uses=lapack
// dash-test: env=OPENBLAS_NUM_THREADS:1

#include "support/Catch.h"
#include "support/Cholesky.h"

#include <cmath>
#include <vector>

using dash::test::matrix_element;
using dash::test::TaskCholesky;
using dash::test::TiledMatrix;

namespace {

/// The factor computed by LAPACK, in column-major order.
std::vector<double> factor_by_lapack(std::size_t n) {
  std::vector<double> matrix(n * n);
  for (std::size_t k = 0; k < n * n; ++k)
    matrix[k] = matrix_element(k % n, k / n, n);
  const int order = static_cast<int>(n);
  int info = -1;
  dpotrf_("L", &order, matrix.data(), &order, &info);
  REQUIRE(info == 0);
  return matrix;
}

double largest_difference(TiledMatrix& tiles, const std::vector<double>& expected) {
  const std::size_t n = tiles.n();
  double largest = 0;
  for (std::size_t row = 0; row < n; ++row) {
    if (!tiles.is_mine(row / tiles.nb())) continue;
    for (std::size_t column = 0; column <= row; ++column) {
      const double* const tile = tiles.local(row / tiles.nb(), column / tiles.nb());
      const double ours = tile[column % tiles.nb() * tiles.nb() + row % tiles.nb()];
      largest = std::max(largest, std::abs(ours - expected[column * n + row]));
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("A blocked factorization by tasks: its factor equals that of LAPACK", "[Cholesky]") {
  const std::size_t ntiles = GENERATE(1, 3, 12);
  TiledMatrix tiles(ntiles, 16);
  TaskCholesky cholesky(tiles);
  for (int round = 0; round < 2; ++round) {
    tiles.fill([&](std::size_t i, std::size_t j) { return matrix_element(i, j, tiles.n()); });
    dash::barrier();
    cholesky.run();
    REQUIRE(largest_difference(tiles, factor_by_lapack(tiles.n())) < 1e-10);
    dash::barrier();
  }
}

TEST_CASE("A factorization that fails in the middle: throws on all units", "[Cholesky]") {
  TiledMatrix tiles(8, 8);
  TaskCholesky cholesky(tiles);
  tiles.fill([&](std::size_t i, std::size_t j) {
    return i == j && i == tiles.n() / 2 ? -1 : matrix_element(i, j, tiles.n());
  });
  dash::barrier();
  REQUIRE_THROWS_WITH(cholesky.run(), Catch::Matchers::ContainsSubstring("not positive definite"));
  dash::barrier();
}
