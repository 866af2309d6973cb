// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll ranks=quick

#include "dash/algorithm/Transpose.h"

#include <cstddef>
#include <functional>
#include <stdexcept>

#include "algorithms/matrix/MatrixPatterns.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/pattern/SeqTilePattern.h"
#include "dash/pattern/ShiftTilePattern.h"
#include "support/Catch.h"
#include "support/Pick.h"
#include "support/Runner.h"

using Catch::Matchers::ContainsSubstring;

namespace {

struct Pixel {
  unsigned char red, green, blue;
};

template <class T>
T element(index_t row, index_t col) {
  return static_cast<T>(1000 * row + col);
}
template <>
Pixel element<Pixel>(index_t row, index_t col) {
  return {static_cast<unsigned char>(row), static_cast<unsigned char>(col), 7};
}
template <class T>
bool is_equal(const T& a, const T& b) {
  return a == b;
}
bool is_equal(const Pixel& a, const Pixel& b) {
  return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

/// Number of the caller's elements that are not expected(row, col).
template <class MatrixType, class Expected>
int count_wrong(const MatrixType& matrix, const Expected& expected) {
  int wrong = 0;
  for (std::size_t i = 0; i < matrix.local_size(); ++i) {
    const auto at = matrix.pattern().global_coords(matrix.team().myid(), static_cast<index_t>(i));
    wrong += is_equal(matrix.lbegin()[i], expected(at[0], at[1])) ? 0 : 1;
  }
  return wrong;
}

template <class T, class PatternIn, class PatternOut>
void check_transposed(const PatternIn& pattern_in, const PatternOut& pattern_out) {
  INFO(pattern_in << "\n" << pattern_out);
  dash::Matrix<T, 2, index_t, PatternIn> in(pattern_in);
  dash::Matrix<T, 2, index_t, PatternOut> out(pattern_out);
  set_elements(in, element<T>);
  dash::transpose(in, out);
  CHECK(count_wrong(out, [](index_t row, index_t col) { return element<T>(col, row); }) == 0);
  pattern_in.team().barrier();
}

template <class T, class PatternIn, class PatternOut>
void check_random(unsigned salt) {
  Random random(dash::test::seed() + salt);
  for (int round = 0; round < 8; ++round) {
    const auto rows = static_cast<std::size_t>(dash::test::pick(random, 1, 60));
    const auto cols = static_cast<std::size_t>(dash::test::pick(random, 1, 60));
    check_transposed<T>(pick_pattern<PatternIn>(random, rows, cols),
                        pick_pattern<PatternOut>(random, cols, rows));
  }
}

}  // namespace

TEST_CASE("transpose of matrices of any patterns, storage orders and element types") {
  check_random<double, Blocks, Blocks>(1);
  check_random<int, Tiles, Blocks>(2);
  check_random<double, ColBlocks, Tiles>(3);
  check_random<short, Blocks, ColTiles>(4);
  check_random<float, ColTiles, ColBlocks>(5);
  check_random<Pixel, Tiles, Tiles>(6);
}

TEST_CASE("transpose of tiles that are distributed diagonally or round-robin") {
  using Shifted = dash::ShiftTilePattern<2>;
  using Sequential = dash::SeqTilePattern<2>;
  check_random<double, Shifted, Sequential>(7);
  check_random<long, Sequential, Blocks>(8);
  check_random<double, Tiles, Shifted>(9);
}

TEST_CASE("transpose of matrices that need several messages for a pair of units") {
  const auto rows = [](std::size_t extent0, std::size_t extent1) {
    return Blocks(dash::SizeSpec<2>(extent0, extent1),
                  dash::DistributionSpec<2>(dash::BLOCKED, dash::NONE),
                  dash::TeamSpec<2>(dash::Team::All()), dash::Team::All());
  };
  check_transposed<double>(rows(700, 500), rows(500, 700));
  // Rows that are longer than a message.
  check_transposed<double>(rows(40'000, 3), rows(3, 40'000));
  check_transposed<double>(rows(3, 40'000), rows(40'000, 3));
}

TEST_CASE("transpose with an operation, with each policy and as a task") {
  dash::NArray<long, 2> in(70, 90, dash::BLOCKED, dash::NONE);
  dash::NArray<long, 2> out(90, 70, dash::BLOCKED, dash::NONE);
  set_elements(in, element<long>);
  set_elements(out, element<long>);
  long times = 0;
  const auto check = [&](int added) {
    times += added;
    CHECK(count_wrong(out, [&](index_t row, index_t col) {
            return element<long>(row, col) + times * element<long>(col, row);
          }) == 0);
    dash::barrier();
  };
  dash::transpose(in, out, std::plus<>());
  check(1);
  dash::transpose(dash::seq, in, out, std::plus<>());
  check(1);
  dash::transpose_async(dash::par, in, out, std::plus<>()).get();
  check(1);
  auto added = dash::transpose_async(in, out, [](long a, long b) { return a - 4 * b; });
  dash::barrier();
  added.get();
  check(-4);
}

TEST_CASE("transpose within a sub-team") {
  if (dash::size() < 2) DASH_SKIP("one unit has no sub-teams");
  dash::Team& team = dash::Team::All().split(2);
  Random random(dash::test::seed() + static_cast<unsigned>(team.position()));
  check_transposed<int>(pick_pattern<Blocks>(random, 30, 20, team),
                        pick_pattern<Tiles>(random, 20, 30, team));
  dash::barrier();
}

TEST_CASE("An exception of the operation of transpose reaches all units") {
  dash::NArray<double, 2> in(50, 50);
  dash::NArray<double, 2> out(50, 50);
  set_elements(in, element<double>);
  dash::barrier();
  const auto throw_at_last = [](double, double value) {
    if (value == element<double>(49, 49)) throw std::runtime_error("the last element");
    return value;
  };
  CHECK_THROWS_WITH(dash::transpose(in, out, throw_at_last), ContainsSubstring("the last element"));
  dash::transpose(in, out);
  CHECK(count_wrong(out, [](index_t row, index_t col) { return element<double>(col, row); }) == 0);
  dash::barrier();
}

TEST_CASE("transpose of mismatching matrices throws on all units with the extents") {
  dash::Matrix<double, 2> in(4, 6);
  dash::Matrix<double, 2> out(4, 6);
  CHECK_THROWS_WITH(dash::transpose(in, out),
                    ContainsSubstring("the input is 4 x 6 and the output 4 x 6; expected an output "
                                      "of 6 x 4"));
  CHECK_THROWS_AS(dash::transpose_async(in, out).get(), dash::exception::InvalidArgument);
  dash::Matrix<double, 2> none;
  CHECK_THROWS_WITH(dash::transpose(none, none), ContainsSubstring("not allocated"));
  dash::Matrix<double, 2> square(5, 5);
  CHECK_THROWS_WITH(dash::transpose(square, square), ContainsSubstring("the output is the input"));
  dash::barrier();
}
