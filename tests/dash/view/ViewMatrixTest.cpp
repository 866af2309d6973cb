// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal

#include <algorithm>
#include <concepts>
#include <ranges>
#include <vector>

#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/View.h"
#include "support/Catch.h"

using index_t = dash::default_index_t;

namespace {

using matrix_t = dash::NArray<index_t, 2>;
using sub_t = decltype(dash::sub<1>(0, 1, std::declval<matrix_t&>()));
using local_t = decltype(dash::local(std::declval<sub_t&>()));
using row_t = decltype(dash::sub(0, 1, std::declval<matrix_t&>().row(0)));

static_assert(std::ranges::random_access_range<sub_t> && std::ranges::view<sub_t>);
static_assert(std::ranges::random_access_range<local_t> && std::ranges::view<local_t>);
static_assert(dash::view_traits<sub_t>::rank::value == 2 && local_t::ndim() == 2);
static_assert(dash::view_traits<row_t>::rank::value == 1);
static_assert(dash::view_traits<matrix_t>::rank::value == 2);
static_assert(dash::view_traits<matrix_t>::is_origin::value);
static_assert(std::same_as<sub_t::iterator,
                           dash::MatrixRef<index_t, 2, 2, matrix_t::pattern_type>::iterator>);

/// A matrix whose elements are their linear global indices: 100 * row + column.
class Numbers {
 public:
  Numbers(const dash::Distribution& rows, const dash::Distribution& cols)
      : matrix(dash::SizeSpec<2>(12, 100), dash::DistributionSpec<2>(rows, cols)) {
    for (std::size_t local = 0; local < matrix.local_size(); ++local)
      matrix.lbegin()[local] = matrix.pattern().global(static_cast<index_t>(local));
    dash::barrier();
  }
  ~Numbers() { dash::barrier(); }

  matrix_t matrix;
};

template <class Range>
std::vector<index_t> values(const Range& range) {
  std::vector<index_t> result;
  for (auto&& element : range)
    result.push_back(static_cast<index_t>(element));
  return result;
}

std::vector<index_t> box(index_t row, index_t rows, index_t col, index_t cols) {
  std::vector<index_t> result;
  for (index_t r = row; r < row + rows; ++r) {
    for (index_t c = col; c < col + cols; ++c)
      result.push_back(100 * r + c);
  }
  return result;
}

std::vector<index_t> owned(const matrix_t& matrix, const std::vector<index_t>& elements) {
  std::vector<index_t> result;
  std::copy_if(elements.begin(), elements.end(), std::back_inserter(result),
               [&](index_t element) { return matrix.is_local(element); });
  return result;
}

}  // namespace

TEST_CASE("sub in both dimensions: a box, relative to the operand") {
  Numbers numbers(dash::BLOCKED, dash::BLOCKCYCLIC(7));
  auto& matrix = numbers.matrix;
  const auto view = dash::sub<0>(2, 7, dash::sub<1>(10, 90, matrix));
  CHECK(values(view) == box(2, 5, 10, 80));
  CHECK(values(dash::index(view)) == box(2, 5, 10, 80));
  CHECK(view.extent(0) == 5);
  CHECK(view.extent<1>() == 80);
  CHECK(view.offset<0>() == 2);
  CHECK(view.offset(1) == 10);
  CHECK(view[81] == 311);
  CHECK(view.at(3, 5) == 515);
  CHECK(dash::extent<1>(view) == 80);
  CHECK(dash::rank(view) == 2);
  CHECK(dash::index(view).is_strided());
  CHECK(values(view | dash::sub<0>(1, 3) | dash::sub<1>(5, 8)) == box(3, 2, 15, 3));
  CHECK(&dash::origin(view) == &matrix);
  CHECK(values(dash::strided<0>(3, dash::sub<1>(4, 6, matrix))) ==
        std::vector<index_t>{4, 5, 304, 305, 604, 605, 904, 905});
  CHECK(dash::index(matrix).size() == 1200);
  CHECK(dash::index(matrix)[777] == 777);
}

TEST_CASE("local of sub of a matrix: the caller's elements of the box, by native reference") {
  for (const auto& dist : {dash::BLOCKED, dash::BLOCKCYCLIC(7), dash::TILE(10)}) {
    Numbers numbers(dash::NONE, dist);
    auto& matrix = numbers.matrix;
    const auto view = dash::sub<0>(1, 4, dash::sub<1>(13, 87, matrix));
    const auto local = dash::local(view);
    CHECK(values(local) == owned(matrix, box(1, 3, 13, 74)));
    CHECK(dash::global(local) == view);
    CHECK(values(dash::index(local).global()) == values(local));
    for (index_t i = 0; i < static_cast<index_t>(local.size()); ++i)
      CHECK(&local[i] == matrix.lbegin() + dash::index(local)[i]);
    CHECK(local == dash::local(local));
    if (local.extent(1) > 2) {
      const auto inner = dash::sub<1>(1, local.extent(1), local);
      CHECK(inner.size() == local.size() - local.extent(0));
      CHECK(inner[0] == local[1]);
    }
    CHECK(values(dash::local(dash::sub<0>(2, 3, matrix))) == owned(matrix, box(2, 1, 0, 100)));
    dash::barrier();
  }
}

TEST_CASE("Views of rows, columns and local parts of a matrix: with the remaining dimensions") {
  Numbers numbers(dash::BLOCKCYCLIC(2), dash::NONE);
  auto& matrix = numbers.matrix;
  CHECK(values(dash::sub(3, 6, matrix.row(4))) == std::vector<index_t>{403, 404, 405});
  CHECK(values(dash::sub(3, 6, matrix.col(4))) == std::vector<index_t>{304, 404, 504});
  CHECK(values(dash::index(dash::sub(3, 6, matrix.col(4)))) == std::vector<index_t>{304, 404, 504});
  CHECK(values(dash::local(dash::sub(3, 6, matrix.col(4)))) == owned(matrix, {304, 404, 504}));
  CHECK(values(dash::local(matrix.row(4))) == owned(matrix, box(4, 1, 0, 100)));
  CHECK(values(dash::sub<1>(2, 4, matrix.rows(4, 2))) == box(4, 2, 2, 2));

  const auto rows = static_cast<index_t>(matrix.local.extent(0));
  if (rows > 0) {
    const auto local = dash::sub<1>(5, 7, dash::local(matrix));
    CHECK(static_cast<index_t>(local.size()) == 2 * rows);
    CHECK(&local[2 * rows - 1] == &matrix.local(rows - 1, 6));
    CHECK(dash::index(local)[0] == 5);
    CHECK(dash::index(local).global()[1] == matrix.local(0, 6));
    const auto slice = dash::sub(1, 3, matrix.local.row(0));
    CHECK(&slice[1] == &matrix.local(0, 2));
    CHECK(values(dash::index(slice)) == std::vector<index_t>{1, 2});
  }
}

TEST_CASE("blocks of a matrix and of its views: clipped, in the order of the pattern") {
  Numbers numbers(dash::TILE(5), dash::TILE(30));
  auto& matrix = numbers.matrix;
  const auto blocks = dash::blocks(matrix);
  CHECK(blocks.size() == 12);
  CHECK(values(blocks[0]) == box(0, 5, 0, 30));
  CHECK(values(blocks[11]) == box(10, 2, 90, 10));
  const auto view = dash::sub<0>(4, 12, dash::sub<1>(29, 61, matrix));
  CHECK(values(dash::index(dash::blocks(view))) ==
        std::vector<index_t>{0, 1, 2, 4, 5, 6, 8, 9, 10});
  CHECK(values(dash::block(0, view)) == box(4, 1, 29, 1));
  CHECK(values(dash::block(4, view)) == box(5, 5, 30, 30));
  CHECK(values(dash::block(8, view)) == box(10, 2, 60, 1));
  std::size_t elements = 0;
  for (const auto& block : dash::blocks(dash::local(view))) {
    CHECK(matrix.pattern().block_at(matrix.pattern().coords(block[0])) ==
          matrix.pattern().block_at(matrix.pattern().coords(block[block.size() - 1])));
    elements += block.size();
  }
  CHECK(elements == dash::local(view).size());
}

TEST_CASE("intersect of boxes, ranges of iterators of a matrix, and their local parts") {
  Numbers numbers(dash::BLOCKED, dash::CYCLIC);
  auto& matrix = numbers.matrix;
  const auto a = dash::sub<0>(2, 8, matrix);
  const auto b = dash::sub<1>(40, 50, matrix);
  CHECK(values(dash::intersect(a, b)) == box(2, 6, 40, 10));
  CHECK(values(dash::local(dash::intersect(a, b))) == owned(matrix, box(2, 6, 40, 10)));
  const auto range = dash::make_range(matrix.begin() + 250, matrix.begin() + 410);
  CHECK(values(range.local()) == owned(matrix, [] {
          std::vector<index_t> result;
          for (index_t i = 250; i < 410; ++i)
            result.push_back(i);
          return result;
        }()));
  const auto in_box = matrix.sub<0>(3, 2).sub<1>(10, 20);
  const auto of_box = dash::make_range(in_box.begin() + 1, in_box.end());
  auto expected = box(3, 2, 10, 20);
  expected.erase(expected.begin());
  CHECK(values(of_box) == expected);
  CHECK(values(dash::local(of_box)) == owned(matrix, expected));
}
