// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/Matrix.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/Init.h"
#include "support/Catch.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;

namespace {

/// Constructed before init, destroyed after finalize.
dash::NArray<double, 2> at_namespace_scope;

/// Sets each element to its linear global index.
template <class MatrixType>
void number_elements(MatrixType& matrix) {
  const auto& pattern = matrix.pattern();
  for (std::size_t local = 0; local < matrix.local_size(); ++local) {
    matrix.lbegin()[local] =
        static_cast<typename MatrixType::value_type>(pattern.global(static_cast<index_t>(local)));
  }
  dash::barrier();
}

template <class Pattern>
index_t count_wrong_elements(const dash::Matrix<int, 2, index_t, Pattern>& matrix) {
  index_t wrong = 0;
  for (index_t row = 0; row < static_cast<index_t>(matrix.extent(0)); ++row) {
    for (index_t col = 0; col < static_cast<index_t>(matrix.extent(1)); ++col) {
      const int expected = static_cast<int>(matrix.pattern().global_at({{row, col}}));
      wrong += matrix(row, col) == expected ? 0 : 1;
      wrong += matrix[row][col] == expected ? 0 : 1;
      wrong += matrix.at(row, col) == expected ? 0 : 1;
      wrong += matrix.row(row)[col] == expected ? 0 : 1;
      wrong += matrix.col(col)[row] == expected ? 0 : 1;
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("Matrix: numbered by its owners: read by all units, for all distributions") {
  using dash::BLOCKCYCLIC;
  using dash::BLOCKED;
  using dash::CYCLIC;
  using dash::NONE;
  const std::vector<std::array<dash::Distribution, 2>> distributions = {
      {BLOCKED, NONE},    {NONE, BLOCKED},   {CYCLIC, NONE},
      {BLOCKED, BLOCKED}, {CYCLIC, BLOCKED}, {BLOCKCYCLIC(3), BLOCKCYCLIC(2)}};
  for (const auto& dists : distributions) {
    dash::NArray<int, 2> matrix(11, 9, dists[0], dists[1]);
    CHECK(matrix.size() == 99);
    CHECK(std::all_of(matrix.lbegin(), matrix.lend(), [](int value) { return value == 0; }));
    dash::barrier();
    number_elements(matrix);
    CHECK(count_wrong_elements(matrix) == 0);
    int expected = 0;
    CHECK(std::all_of(matrix.begin(), matrix.end(),
                      [&expected](int value) { return value == expected++; }));
    dash::barrier();
  }
}

TEST_CASE("Matrix in column-major order: elements are at the positions given by the pattern") {
  using Pattern = dash::BlockPattern<2, dash::COL_MAJOR>;
  dash::Matrix<int, 2, index_t, Pattern> matrix(Pattern(7, 5, dash::BLOCKED, dash::BLOCKED));
  number_elements(matrix);
  CHECK(count_wrong_elements(matrix) == 0);
  for (index_t row = 0; row < static_cast<index_t>(matrix.local.extent(0)); ++row) {
    for (index_t col = 0; col < static_cast<index_t>(matrix.local.extent(1)); ++col) {
      const auto local = matrix.pattern().local_at({{row, col}});
      CHECK(&matrix.local(row, col) == matrix.lbegin() + local);
      CHECK(&matrix.local[row][col] == matrix.lbegin() + local);
    }
  }
  dash::barrier();
}

TEST_CASE("Matrix: local view: rows, columns, parts and blocks of the caller's memory") {
  dash::NArray<int, 2> matrix(13, 10, dash::BLOCKED, dash::BLOCKED);
  const auto rows = static_cast<index_t>(matrix.local.extent(0));
  const auto cols = static_cast<index_t>(matrix.local.extent(1));
  CHECK(static_cast<std::size_t>(rows * cols) == matrix.local_size());
  for (index_t row = 0; row < rows; ++row) {
    for (index_t col = 0; col < cols; ++col) {
      matrix.local[row][col] = static_cast<int>(100 * row + col);
    }
  }
  const auto& constant = matrix;
  for (index_t row = 0; row < rows; ++row) {
    for (index_t col = 0; col < cols; ++col) {
      const int expected = static_cast<int>(100 * row + col);
      CHECK(matrix.lbegin()[row * cols + col] == expected);
      CHECK(constant.local(row, col) == expected);
      CHECK(constant.local[row][col] == expected);
      CHECK(matrix.local.at(row, col) == expected);
      CHECK(matrix.local.row(row)[col] == expected);
      CHECK(matrix.local.col(col)[row] == expected);
    }
    CHECK(matrix.local.row(row).lend() - matrix.local.row(row).lbegin() == cols);
  }
  if (rows > 2 && cols > 1) {
    auto part = matrix.local.rows(1, 2).cols(1, static_cast<std::size_t>(cols - 1));
    CHECK(part.size() == static_cast<std::size_t>(2 * (cols - 1)));
    CHECK(part.offset(0) == 1);
    CHECK(part(1, 0) == 201);
    std::vector<int> seen(part.begin(), part.end());
    CHECK(seen.front() == 101);
    CHECK(seen.back() == static_cast<int>(200 + cols - 1));
    for (int& element : matrix.local.col(1))
      element = -1;
    CHECK(matrix.local(2, 1) == -1);
    CHECK_THROWS_AS(matrix.local.rows(1, static_cast<std::size_t>(rows)),
                    dash::exception::OutOfRange);
  }
  if (matrix.local_size() > 0) {
    auto block = matrix.local.block(0);
    CHECK(block.size() == matrix.local_size());
    CHECK(&*block.begin() == matrix.lbegin());
    // block() refers to the caller's blocks, even if called on a part.
    auto last_row = matrix.local.rows(static_cast<std::size_t>(rows - 1), 1);
    CHECK(&*last_row.block(0).begin() == matrix.lbegin());
  }
  dash::barrier();
}

TEST_CASE("Matrix in three dimensions: slices of slices: the elements of the box") {
  dash::NArray<int, 3> matrix(4, 5, 6, dash::NONE, dash::BLOCKED, dash::NONE);
  number_elements(matrix);
  index_t wrong = 0;
  for (index_t i = 0; i < 4; ++i) {
    for (index_t j = 0; j < 5; ++j) {
      for (index_t k = 0; k < 6; ++k) {
        const int expected = static_cast<int>((i * 5 + j) * 6 + k);
        wrong += matrix(i, j, k) == expected ? 0 : 1;
        wrong += matrix[i][j][k] == expected ? 0 : 1;
        wrong += matrix.sub<2>(k)(i, j) == expected ? 0 : 1;
        wrong += matrix.sub<1>(j).sub<0>(i)[k] == expected ? 0 : 1;
        wrong += matrix.sub<1>(j).sub<1>(k)[i] == expected ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
  const auto slice = matrix.sub<1>(2);
  CHECK(slice.extents() == std::array<std::size_t, 3>{4, 1, 6});
  CHECK(slice.size() == 24);
  CHECK_THROWS_AS(slice.extent(3), dash::exception::OutOfRange);
  std::vector<int> expected;
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 6; ++k)
      expected.push_back((i * 5 + 2) * 6 + k);
  }
  CHECK(std::equal(slice.begin(), slice.end(), expected.begin()));
  dash::barrier();
}

TEST_CASE("Matrix: boxes: iterators outlive the view") {
  dash::NArray<int, 2> matrix(8, 9, dash::BLOCKED, dash::BLOCKED);
  number_elements(matrix);
  std::vector<int> expected;
  for (int row = 2; row < 5; ++row) {
    for (int col = 3; col < 7; ++col)
      expected.push_back(row * 9 + col);
  }
  const auto begin = matrix.sub<0>(2, 3).sub<1>(3, 4).begin();
  const auto end = matrix.sub<0>(2, 3).sub<1>(3, 4).end();
  CHECK(end - begin == 12);
  CHECK(std::equal(begin, end, expected.begin()));
  index_t position = 0;
  for (auto it = begin; it != end; ++it, ++position) {
    CHECK(it.rpos() == position);
    CHECK(it.gpos() == expected[static_cast<std::size_t>(position)]);
    CHECK(it.global() == matrix.begin() + it.gpos());
    CHECK(it.lpos() == matrix.pattern().local(it.gpos()));
    CHECK(it.is_local() == (it.lpos().unit == dash::myid().id));
    CHECK(begin[position] == it.gpos());
  }
  const auto view = matrix.sub<0>(2, 3).sub<1>(3, 4);
  CHECK(view(1, 1) == 3 * 9 + 4);
  CHECK(view[1][1] == 3 * 9 + 4);
  CHECK(view.row(0)[3] == 2 * 9 + 6);
  CHECK(view.offset(1) == 3);
  // As in DASH, the offset is relative to the matrix.
  CHECK(view.sub<0>(0, 1)(0, 0) == 3);
  CHECK_THROWS_WITH(matrix.rows(6, 3), Catch::Matchers::ContainsSubstring("3 indices from 6") &&
                                           Catch::Matchers::ContainsSubstring("has 8"));
  dash::barrier();
}

TEST_CASE("Matrix: local part of a view: exact, and writable as native memory") {
  dash::NArray<int, 2> matrix(12, 7, dash::CYCLIC, dash::NONE);
  const auto view = matrix.sub<0>(3, 7).sub<1>(1, 4);
  std::size_t local = 0;
  for (auto it = view.begin(); it != view.end(); ++it)
    local += it.is_local() ? 1 : 0;
  CHECK(view.local_size() == local);
  auto mine = view.sub_local();
  CHECK(mine.size() == local);
  for (int& element : mine)
    element = 1 + dash::myid();
  dash::barrier();
  for (auto it = matrix.begin(); it != matrix.end(); ++it) {
    const auto coords = matrix.pattern().coords(it.gpos());
    const bool inside = coords[0] >= 3 && coords[0] < 10 && coords[1] >= 1 && coords[1] < 5;
    CHECK(*it == (inside ? 1 + it.lpos().unit.id : 0));
  }
  CHECK(matrix.is_local<0>(3) == (3 % dash::size() == static_cast<std::size_t>(dash::myid())));
  dash::barrier();
}

TEST_CASE("Matrix: blocks: boxes of the pattern") {
  dash::NArray<int, 2> matrix(9, 10, dash::BLOCKCYCLIC(4), dash::NONE);
  number_elements(matrix);
  const auto blocks = static_cast<index_t>(matrix.pattern().blockspec().size());
  CHECK(blocks == 3);
  std::size_t elements = 0;
  for (index_t index = 0; index < blocks; ++index) {
    auto block = matrix.block(index);
    elements += block.size();
    CHECK(*block.begin() == static_cast<int>(index * 40));
    CHECK(matrix.block(std::array<index_t, 2>{index, 0}).viewspec() == block.viewspec());
  }
  CHECK(elements == 90);
  dash::barrier();
}

TEST_CASE("Matrix: constructed in all forms: the same pattern") {
  using dash::BLOCKED;
  using dash::Team;
  dash::TeamSpec<2> grid(Team::All());
  grid.balance_extents();
  const dash::SizeSpec<2> sizes(6, 8);
  const dash::DistributionSpec<2> dists(BLOCKED, BLOCKED);
  const dash::Pattern<2> pattern(sizes, dists, grid, Team::All());
  const dash::NArray<int, 2> from_specs(sizes, dists, Team::All(), grid);
  const dash::NArray<int, 2> from_pattern(pattern);
  const dash::NArray<int, 2> variadic(6, 8, BLOCKED, BLOCKED);
  const dash::NArray<int, 2> with_grid(6, 8, grid, dists);
  const dash::NArray<int, 2> defaulted_grid(sizes, dists);
  dash::NArray<int, 2> late;
  CHECK(late.size() == 0);
  CHECK(late.begin() == late.end());
  late.allocate(sizes, dists, grid);
  CHECK(from_specs.pattern() == pattern);
  CHECK(from_pattern.pattern() == pattern);
  CHECK(variadic.pattern() == pattern);
  CHECK(with_grid.pattern() == pattern);
  CHECK(defaulted_grid.pattern() == pattern);
  CHECK(late.pattern() == pattern);
  late.deallocate();
  late.allocate(3, 4);
  CHECK(late.extent(1) == 4);
  CHECK(late.pattern().distspec() == dash::DistributionSpec<2>());
  CHECK_THROWS_AS(late.allocate(dash::SizeSpec<2>(0, 4), dists, grid),
                  dash::exception::InvalidArgument);
  const dash::NArray<int, 2> rows(dash::SizeSpec<2>(5, 5));
  CHECK(rows.pattern().local_extent(1) == (rows.local_size() > 0 ? 5 : 5));
  dash::NArray<float, 1> vector(10);
  vector[3] = 1.5F;
  dash::barrier();
  CHECK(vector(3) == 1.5F);
  dash::barrier();
}

TEST_CASE("Matrix: moved: elements, local part and iterators stay valid") {
  dash::NArray<int, 2> source(6, 7);
  number_elements(source);
  const auto begin = source.begin();
  dash::NArray<int, 2> target(std::move(source));
  CHECK(source.size() == 0);  // NOLINT(bugprone-use-after-move): empty is promised
  CHECK(source.local.size() == 0);
  CHECK(target.begin() == begin);
  CHECK(begin[41] == 41);
  dash::barrier();
  if (target.local_size() > 0) {
    target.local(0, 0) = -5;
    CHECK(*target.lbegin() == -5);
  }
  dash::NArray<int, 2> other(2, 2);
  other = std::move(target);
  CHECK(other.extent(1) == 7);
  swap(other, target);
  CHECK(target.extent(1) == 7);
  dash::barrier();
}

TEST_CASE("Matrix: read through constant views: elements are const") {
  dash::Matrix<int, 2> matrix(4, 4);
  const auto& constant = matrix;
  STATIC_REQUIRE(std::is_same_v<decltype(constant(0, 0)), dash::GlobRef<const int>>);
  STATIC_REQUIRE(std::is_same_v<decltype(constant[0][0]), dash::GlobRef<const int>>);
  STATIC_REQUIRE(std::is_same_v<decltype(constant.local(0, 0)), const int&>);
  STATIC_REQUIRE(std::is_same_v<decltype(constant.local[0][0]), const int&>);
  STATIC_REQUIRE(std::is_same_v<decltype(matrix.local[0][0]), int&>);
  STATIC_REQUIRE(std::is_convertible_v<dash::MatrixRef<int, 2>, dash::MatrixRef<const int, 2>>);
  STATIC_REQUIRE_FALSE(
      std::is_convertible_v<dash::MatrixRef<const int, 2>, dash::MatrixRef<int, 2>>);
  const dash::MatrixRef<int, 2, 2> all = matrix;
  CHECK(all.size() == 16);
  dash::barrier();
}

TEST_CASE("Matrix reallocated with its own pattern: has that pattern and zeroed elements") {
  dash::NArray<int, 2> matrix(7, 5, dash::BLOCKCYCLIC(2), dash::NONE);
  const auto pattern = matrix.pattern();
  number_elements(matrix);
  CHECK(matrix.allocate(matrix.pattern()));
  CHECK(matrix.pattern() == pattern);
  CHECK(matrix.size() == 35);
  CHECK(std::all_of(matrix.lbegin(), matrix.lend(), [](int value) { return value == 0; }));
  dash::barrier();
}

TEST_CASE("Matrix at namespace scope: allocated by a test: freed by finalize") {
  at_namespace_scope.allocate(dash::Pattern<2>(3, 5));
  CHECK(at_namespace_scope.size() == 15);
}

TEST_CASE("Matrix: async elements: visible after the flush, for all kinds of access") {
  dash::NArray<int, 3> matrix(4, 5, 6, dash::NONE, dash::BLOCKED, dash::NONE);
  dash::barrier();
  if (dash::myid() == 0) {
    for (index_t i = 0; i < 4; ++i) {
      for (index_t j = 0; j < 5; ++j) {
        for (index_t k = 0; k < 6; ++k) {
          const int value = static_cast<int>(100 * i + 10 * j + k);
          if (k % 3 == 0) {
            matrix.async(i, j, k) = value;
          } else if (k % 3 == 1) {
            matrix.async[i][j][k].set(value);
          } else {
            matrix.async.at(i, j, k) = value;
          }
        }
      }
    }
    matrix.async.flush();
  }
  matrix.barrier();
  const auto& constant = matrix;
  int wrong = 0;
  std::vector<int> seen(120, -1);
  std::size_t n = 0;
  for (index_t i = 0; i < 4; ++i) {
    for (index_t j = 0; j < 5; ++j) {
      for (index_t k = 0; k < 6; ++k) {
        wrong += matrix(i, j, k) == 100 * i + 10 * j + k ? 0 : 1;
        constant.async[i][j][k].get(&seen[n++]);
      }
    }
  }
  matrix.async.flush_local();
  matrix.flush();
  n = 0;
  for (const int value : matrix)
    wrong += value == seen[n++] ? 0 : 1;
  CHECK(wrong == 0);
  dash::NArray<int, 3> other;
  CHECK(other.async.size() == 0);
  swap(matrix, other);
  CHECK(other.async(3, 4, 5).get() == 345);
  CHECK(matrix.empty());
  CHECK(other.rbegin()[0] == 345);
  dash::barrier();
}

TEST_CASE("Matrix view: iterators moved at random: refer to the element at their position") {
  std::mt19937 random(dash::test::seed());
  dash::NArray<int, 2> matrix(40, 70, dash::BLOCKED, dash::BLOCKCYCLIC(17));
  number_elements(matrix);
  for (int round = 0; round < 8; ++round) {
    const index_t top = static_cast<index_t>(random() % 30);
    const index_t left = round == 0 ? 0 : static_cast<index_t>(random() % 50);
    const index_t width = round == 0 ? 70 : 1 + static_cast<index_t>(random() % 20);
    const auto view = matrix.sub<0>(static_cast<std::size_t>(top), 10)
                          .sub<1>(static_cast<std::size_t>(left), static_cast<std::size_t>(width));
    const auto expected = [&](index_t at) {
      return static_cast<int>((top + at / width) * 70 + left + at % width);
    };
    int wrong = 0;
    auto it = view.begin();
    for (index_t at = 0; at < 10 * width; ++at, ++it) {
      wrong += *it == expected(at) ? 0 : 1;
      wrong += it[-at] == expected(0) ? 0 : 1;
    }
    CHECK(it == view.end());
    for (int step = 0; step < 200; ++step) {
      it = view.begin() + static_cast<index_t>(random() % static_cast<unsigned>(9 * width));
      while (it.rpos() + 1 < 10 * width && random() % 4 != 0)
        ++it;
      wrong += *it == expected(it.rpos()) ? 0 : 1;
      wrong += (*it).dart_gptr() == it.dart_gptr() ? 0 : 1;
      wrong += *it.global() == expected(it.rpos()) ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
  dash::barrier();
}
