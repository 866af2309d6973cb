// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include "dash/algorithm/SUMMA.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/matrix/MatrixPatterns.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/TeamSpec.h"
#include "dash/pattern/MakePattern.h"
#include "dash/pattern/SeqTilePattern.h"
#include "dash/pattern/ShiftTilePattern.h"
#include "support/Catch.h"
#include "support/Pick.h"
#include "support/Runner.h"

using Catch::Matchers::ContainsSubstring;
using dash::test::pick;

namespace {

struct Shape {
  std::size_t m;
  std::size_t n;
  std::size_t k;
};

/// Small integers, so that their sums are exact in every type and in every order. Rows of A and columns of B repeat with
/// these periods, so an element of the product has one of 99 values.
constexpr index_t row_period_of_a = 11;
constexpr index_t col_period_of_b = 9;
int element_of_a(index_t row, index_t col) {
  return static_cast<int>((row * 7 + col * 3) % row_period_of_a) - 5;
}
int element_of_b(index_t row, index_t col) {
  return static_cast<int>((row * 5 + col * 13) % col_period_of_b) - 4;
}

/// Number of the caller's elements of C that differ from those of a plain loop.
template <class MatrixType>
std::size_t count_wrong(const MatrixType& c, const Shape& shape) {
  using T = typename MatrixType::value_type;
  std::array<std::array<T, col_period_of_b>, row_period_of_a> expected;
  for (index_t row = 0; row < row_period_of_a; ++row) {
    for (index_t col = 0; col < col_period_of_b; ++col) {
      long sum = 0;
      for (index_t p = 0; p < static_cast<index_t>(shape.k); ++p)
        sum += long{element_of_a(row, p)} * element_of_b(p, col);
      expected[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)] = static_cast<T>(sum);
    }
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < c.local_size(); ++i) {
    const auto at = c.pattern().global_coords(c.team().myid(), static_cast<index_t>(i));
    const T value = expected[static_cast<std::size_t>(at[0] % row_period_of_a)]
                            [static_cast<std::size_t>(at[1] % col_period_of_b)];
    wrong += c.lbegin()[i] == value ? 0 : 1;
  }
  return wrong;
}

/// Multiplies matrices with these patterns, and checks every element of the product.
template <class T, class PatternA, class PatternB, class PatternC>
void check_product(const Shape& shape, const PatternA& pattern_a, const PatternB& pattern_b,
                   const PatternC& pattern_c) {
  INFO(shape.m << " x " << shape.n << ", inner " << shape.k << "\n"
               << pattern_a << "\n"
               << pattern_b << "\n"
               << pattern_c);
  dash::Matrix<T, 2, index_t, PatternA> a(pattern_a);
  dash::Matrix<T, 2, index_t, PatternB> b(pattern_b);
  dash::Matrix<T, 2, index_t, PatternC> c(pattern_c);
  set_elements(a, element_of_a);
  set_elements(b, element_of_b);
  set_elements(c, [](index_t, index_t) { return 77; });  // overwritten, not added to
  dash::summa(a, b, c);
  CHECK(count_wrong(c, shape) == 0);
  pattern_a.team().barrier();
}

Shape pick_shape(Random& random, index_t most) {
  const auto extent = [&] { return static_cast<std::size_t>(pick(random, 1, most)); };
  return {extent(), extent(), extent()};
}

template <class T, class PatternA, class PatternB, class PatternC>
void check_random(unsigned salt, int rounds = 8) {
  Random random(dash::test::seed() + salt);
  for (int round = 0; round < rounds; ++round) {
    const Shape shape = pick_shape(random, 40);
    check_product<T>(shape, pick_pattern<PatternA>(random, shape.m, shape.k),
                     pick_pattern<PatternB>(random, shape.k, shape.n),
                     pick_pattern<PatternC>(random, shape.m, shape.n));
  }
}

template <class Extents>
auto constrained_pattern(const Extents& extents) {
  return dash::make_pattern<dash::summa_pattern_partitioning_constraints,
                            dash::summa_pattern_mapping_constraints,
                            dash::summa_pattern_layout_constraints>(extents);
}

}  // namespace

TEST_CASE("summa of matrices with patterns of make_pattern computes the product") {
  const std::size_t n = 12 * dash::size();
  const dash::SizeSpec<2> sizes(n, n);
  const auto pattern = constrained_pattern(sizes);
  using Pattern = std::remove_const_t<decltype(pattern)>;
  using MatrixType = dash::Matrix<double, 2, index_t, Pattern>;
  static_assert(dash::summa_pattern_constraints<MatrixType>::satisfied::value);
  static_assert(!dash::summa_pattern_constraints<dash::NArray<double, 2>>::satisfied::value);
  check_product<double>({n, n, n}, pattern, pattern, pattern);
  check_product<float>({n, n, n}, pattern, pattern, pattern);
}

TEST_CASE("summa of tiles of any extents computes the product") {
  check_random<double, Tiles, Tiles, Tiles>(1, 16);
  check_random<float, Tiles, Tiles, Tiles>(2);
  check_random<int, Tiles, Tiles, Tiles>(3);
}

TEST_CASE("summa of blocks of any distribution computes the product") {
  check_random<double, Blocks, Blocks, Blocks>(4, 16);
  check_random<long, Blocks, Blocks, Blocks>(5);
}

TEST_CASE("summa of matrices with different patterns and storage orders computes the product") {
  check_random<double, ColTiles, Tiles, ColTiles>(6);
  check_random<double, Tiles, ColBlocks, ColTiles>(7);
  check_random<double, ColBlocks, ColTiles, Blocks>(8);
  check_random<float, Blocks, Tiles, ColBlocks>(9);
  check_random<std::int16_t, ColBlocks, Blocks, ColTiles>(10);
}

TEST_CASE("summa of tiles that are distributed diagonally or round-robin computes the product") {
  using Shifted = dash::ShiftTilePattern<2>;
  using Sequential = dash::SeqTilePattern<2>;
  check_random<double, Shifted, Sequential, Shifted>(11);
  check_random<double, Tiles, Shifted, Sequential>(12);
  check_random<unsigned, Sequential, Blocks, dash::ShiftTilePattern<2, dash::COL_MAJOR>>(13);
}

TEST_CASE("summa of blocks that are used in place, and of blocks that are joined") {
  // Products with several steps and several tiles of C, at sizes around the limits.
  const std::size_t m = 300;
  const std::size_t n = 260;
  const std::size_t k = 1100;
  const auto tiles = [](std::size_t rows, std::size_t cols, int row_tile, int col_tile) {
    return Tiles(dash::SizeSpec<2>(rows, cols),
                 dash::DistributionSpec<2>(dash::TILE(row_tile), dash::TILE(col_tile)),
                 dash::TeamSpec<2>(dash::Team::All()), dash::Team::All());
  };
  check_product<double>({m, n, k}, tiles(m, k, 150, 550), tiles(k, n, 550, 130),
                        tiles(m, n, 150, 130));
  check_product<double>({m, n, k}, tiles(m, k, 150, 550), tiles(k, n, 128, 64),
                        tiles(m, n, 100, 130));
  check_product<float>({m, n, k}, Blocks(dash::SizeSpec<2>(m, k)), tiles(k, n, 1100, 100),
                       ColBlocks(dash::SizeSpec<2>(m, n)));
}

TEST_CASE("summa of more columns than a tile of C has computes the product") {
  check_product<float>({3, 4500, 20}, Blocks(dash::SizeSpec<2>(3, 20)),
                       Blocks(dash::SizeSpec<2>(20, 4500)), Blocks(dash::SizeSpec<2>(3, 4500)));
  check_product<float>({4200, 5, 9}, Tiles(dash::SizeSpec<2>(4200, 9)),
                       ColBlocks(dash::SizeSpec<2>(9, 5)), ColTiles(dash::SizeSpec<2>(4200, 5)));
}

TEST_CASE("summa with each policy, as a task and as mmult computes the same elements") {
  const Shape shape{130, 90, 170};
  Random random(dash::test::seed());
  dash::Matrix<double, 2> a(pick_pattern<Tiles>(random, shape.m, shape.k));
  dash::Matrix<double, 2> b(pick_pattern<Tiles>(random, shape.k, shape.n));
  const auto pattern_c = pick_pattern<Tiles>(random, shape.m, shape.n);
  set_elements(a, element_of_a);
  set_elements(b, element_of_b);
  const auto check = [&](const auto& multiply) {
    dash::Matrix<double, 2> c(pattern_c);
    multiply(c);
    CHECK(count_wrong(c, shape) == 0);
    c.barrier();
  };
  check([&](auto& c) { dash::summa(dash::seq, a, b, c); });
  check([&](auto& c) { dash::summa(dash::par, a, b, c); });
  check([&](auto& c) { dash::summa(dash::par_node, a, b, c); });
  check([&](auto& c) { dash::mmult(a, b, c); });
  check([&](auto& c) { dash::mmult_async(a, b, c).get(); });
  check([&](auto& c) {
    auto done = dash::summa_async(dash::seq, a, b, c);
    dash::barrier();
    done.get();
  });
}

TEST_CASE("summa with alpha and beta adds the product to multiples of the elements") {
  Random random(dash::test::seed() + 20);
  const auto check = [&]<class T, class PatternA, class PatternC>(T alpha, T beta) {
    const Shape shape = pick_shape(random, 40);
    INFO(shape.m << " x " << shape.n << ", inner " << shape.k << ", alpha " << alpha << ", beta "
                 << beta);
    dash::Matrix<T, 2, index_t, PatternA> a(pick_pattern<PatternA>(random, shape.m, shape.k));
    dash::Matrix<T, 2, index_t, Tiles> b(pick_pattern<Tiles>(random, shape.k, shape.n));
    const auto pattern_c = pick_pattern<PatternC>(random, shape.m, shape.n);
    dash::Matrix<T, 2, index_t, PatternC> c(pattern_c);
    dash::Matrix<T, 2, index_t, PatternC> product(pattern_c);
    set_elements(a, element_of_a);
    set_elements(b, element_of_b);
    const auto before = [](index_t row, index_t col) { return static_cast<int>(row - 2 * col); };
    set_elements(c, before);
    dash::summa(a, b, product);
    dash::summa(alpha, a, b, beta, c);
    set_elements(product, [&](index_t row, index_t col) {
      return alpha * static_cast<T>(product[row][col]) + beta * static_cast<T>(before(row, col));
    });
    bool is_equal = true;
    for (std::size_t i = 0; i < c.local_size(); ++i)
      is_equal = is_equal && c.lbegin()[i] == product.lbegin()[i];
    CHECK(is_equal);
    dash::barrier();
  };
  for (int round = 0; round < 4; ++round) {
    check.operator()<double, Tiles, Blocks>(2.0, 0.5);
    check.operator()<double, Blocks, ColTiles>(-1.0, 1.0);
    check.operator()<float, Tiles, Tiles>(0.5F, -2.0F);
    check.operator()<float, ColBlocks, Blocks>(3.0F, 0.0F);
    check.operator()<int, Tiles, ColBlocks>(-3, 2);
  }
}

TEST_CASE("summa with beta of 0 does not read the elements, and accumulates as a task") {
  dash::Matrix<double, 2> a(20, 30);
  dash::Matrix<double, 2> b(30, 10);
  dash::Matrix<double, 2> c(20, 10);
  set_elements(a, element_of_a);
  set_elements(b, element_of_b);
  set_elements(c, [](index_t, index_t) { return std::numeric_limits<double>::quiet_NaN(); });
  dash::summa(1, a, b, 0, c);
  CHECK(count_wrong(c, {20, 10, 30}) == 0);
  dash::barrier();
  dash::summa_async(1, a, b, 1, c).get();
  dash::mmult(dash::seq, -1, a, b, 1, c);
  CHECK(count_wrong(c, {20, 10, 30}) == 0);
  dash::barrier();
}

TEST_CASE("summa of matrices of a sub-team, with factors of the sub-team or of all units") {
  if (dash::size() < 2) DASH_SKIP("one unit has no sub-teams");
  dash::Team& team = dash::Team::All().split(2);
  Random random(dash::test::seed() + static_cast<unsigned>(team.position()));
  const Shape shape = pick_shape(random, 30);
  check_product<double>(shape, pick_pattern<Tiles>(random, shape.m, shape.k, team),
                        pick_pattern<Blocks>(random, shape.k, shape.n, team),
                        pick_pattern<Tiles>(random, shape.m, shape.n, team));

  dash::NArray<double, 2> a(25, 31, dash::BLOCKED, dash::NONE);
  set_elements(a, element_of_a);
  dash::barrier();
  {
    dash::NArray<double, 2> b(31, 9, dash::BLOCKED, dash::NONE, team);
    dash::NArray<double, 2> c(25, 9, dash::BLOCKED, dash::NONE, team);
    set_elements(b, element_of_b);
    dash::summa(a, b, c);
    CHECK(count_wrong(c, {25, 9, 31}) == 0);
  }
  dash::barrier();
}

TEST_CASE("summa with a factor whose team lacks a unit throws on all units") {
  if (dash::size() < 2) DASH_SKIP("one unit has no sub-teams");
  dash::Team& team = dash::Team::All().split(2);
  dash::NArray<double, 2> b(6, 6);
  dash::NArray<double, 2> c(6, 6);
  dash::NArray<double, 2> a(team);
  if (team.position() == 0) a.allocate(6, 6);
  if (team.position() == 0) {
    CHECK_THROWS_WITH(dash::summa(a, b, c),
                      ContainsSubstring("A is 0 x 0") && ContainsSubstring("on unit"));
  } else {
    CHECK_THROWS_AS(dash::summa(a, b, c), dash::exception::InvalidArgument);
  }
  dash::barrier();
}

TEST_CASE("summa of mismatching extents throws on all units with the extents") {
  dash::Matrix<double, 2> a(4, 5);
  dash::Matrix<double, 2> b(6, 3);
  dash::Matrix<double, 2> c(4, 3);
  CHECK_THROWS_WITH(dash::summa(a, b, c),
                    ContainsSubstring("A is 4 x 5, B is 6 x 3 and C is 4 x 3"));
  dash::Matrix<double, 2> other_b(5, 4);
  CHECK_THROWS_AS(dash::summa(a, other_b, c), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::summa_async(a, other_b, c).get(), dash::exception::InvalidArgument);
  dash::Matrix<double, 2> none;
  CHECK_THROWS_WITH(dash::summa(none, none, none), ContainsSubstring("not allocated"));
  CHECK_THROWS_WITH(dash::summa(a, none, c), ContainsSubstring("B is 0 x 0"));
  dash::Matrix<double, 2> square(4, 4);
  CHECK_THROWS_WITH(dash::summa(square, square, square), ContainsSubstring("one of the factors"));
  dash::barrier();
}
