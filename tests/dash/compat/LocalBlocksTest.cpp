// dash-test: parallel units=1,2,4 layouts=node,nolocal

// Blocks and slices of matrices, as programs for DASH 0.4 use them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/View.h"
#include "dash/algorithm/Copy.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/LocalRange.h"
#include "dash/pattern/CSRPattern.h"
#include "dash/pattern/ShiftTilePattern.h"
#include "support/Catch.h"

namespace {

using index_t = dash::default_index_t;

/// Calls check(matrix) for matrices of several blocks per unit, of at least 3 x 5 elements: stored
/// as one array per unit, and block by block. Element (i, j) has the value 100 i + j.
template <class Check>
void for_each_matrix(Check check) {
  const auto run = [&](auto& matrix) {
    dash::generate_with_index(matrix.begin(), matrix.end(), [&](index_t position) {
      const auto coords = matrix.pattern().coords(position);
      return static_cast<int>(100 * coords[0] + coords[1]);
    });
    matrix.barrier();
    check(matrix);
    matrix.barrier();
  };
  const auto rows = 6 * dash::size();
  dash::NArray<int, 2> array(rows, 10, dash::BLOCKCYCLIC(3), dash::NONE);
  run(array);
  dash::Matrix<int, 2> tiles(rows, 10, dash::TILE(3), dash::TILE(5));
  run(tiles);
}

}  // namespace

TEST_CASE("A block of the caller's elements has global offsets") {
  for_each_matrix([](auto& matrix) {
    const auto& pattern = matrix.pattern();
    const auto me = dash::Team::All().myid();
    const auto num_blocks = static_cast<index_t>(pattern.local_blockspec().size());
    for (index_t b = 0; b < num_blocks; ++b) {
      CAPTURE(b);
      auto block = matrix.local.block(b);
      const auto expected = pattern.local_block(me, b);
      CHECK(block.offsets() == expected.offsets());
      CHECK(block.offset(0) == expected.offset(0));
      CHECK(block.viewspec() == expected);
      CHECK(block.begin().viewspec() == expected);
      const auto first = static_cast<int>(100 * block.offset(0) + block.offset(1));
      CHECK(block(0, 0) == first);
      CHECK(block[2][4] == first + 204);
      // A part of the block also has global offsets.
      auto part = block.template sub<1>(1, 2);
      CHECK(part.offset(1) == block.offset(1) + 1);
      CHECK(part[1][0] == first + 101);
      CHECK(block.row(1).offset(0) == block.offset(1));
      // A block of a block is the block with that index.
      auto other = block.block(num_blocks - 1);
      CHECK(other.offsets() == pattern.local_block(me, num_blocks - 1).offsets());
      CHECK(other(0, 0) == static_cast<int>(100 * other.offset(0) + other.offset(1)));
      // Views use the local coordinates.
      auto view = dash::sub<0>(1, 2, block);
      CHECK(view.begin()[0] == first + 100);
    }
    CHECK(matrix.local.offsets() == std::array<index_t, 2>{});
  });
}

TEST_CASE("The local part of a unit without elements begins at 0") {
  dash::Matrix<int, 2> column(4, 1, dash::NONE, dash::BLOCKED);
  CHECK(column.local.offsets() == std::array<index_t, 2>{});
  CHECK(column.local.local_offsets() == std::array<index_t, 2>{});
}

TEST_CASE("The elements of a block of the caller can be copied") {
  for_each_matrix([](auto& matrix) {
    const auto extents = matrix.local.block(1).extents();
    const auto size = extents[0] * extents[1];
    auto block = matrix.local.block(1);
    std::vector<int> expected(size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto row = static_cast<index_t>(i / extents[1]) + block.offset(0);
      const auto col = static_cast<index_t>(i % extents[1]) + block.offset(1);
      expected[i] = static_cast<int>(100 * row + col);
    }
    std::vector<int> copied(size);
    CHECK(dash::copy(block.begin(), block.end(), copied.data()) == copied.data() + size);
    CHECK(copied == expected);
    CHECK(dash::copy(block.begin() + 2, block.end() - 1, copied.begin()) ==
          copied.begin() + static_cast<index_t>(size) - 3);
    CHECK(copied[0] == expected[2]);

    // To elements of the next unit, and back.
    dash::Array<int> others(size * dash::size());
    const auto next = (dash::myid() + 1) % static_cast<int>(dash::size());
    const auto to = others.begin() + static_cast<index_t>(size) * next;
    CHECK(dash::copy(block.begin(), block.end(), to) == to + static_cast<index_t>(size));
    std::fill(block.begin(), block.end(), 0);
    CHECK(dash::copy(to, to + static_cast<index_t>(size), block.begin()) == block.end());
    CHECK(std::vector<int>(block.begin(), block.end()) == expected);

    std::iota(copied.begin(), copied.end(), 1000);
    CHECK(dash::copy(copied.data(), copied.data() + size, block.begin()) == block.end());
    CHECK(block(0, 0) == 1000);
    CHECK(block(2, 4) == copied[2 * extents[1] + 4]);

    auto row = matrix.local.row(1);
    auto target = matrix.local.row(0);
    CHECK(dash::copy(row.begin(), row.end(), target.begin()) == target.end());
    CHECK(target[3] == row[3]);
  });
}

TEST_CASE("Native and local indices of a block of the caller") {
  for_each_matrix([](auto& matrix) {
    auto block = matrix.local.block(1);
    const auto width = static_cast<index_t>(block.extent(1));
    const auto begin = block.begin() + width;
    const auto range = dash::local_range(begin, begin + width);
    CHECK(range.begin == &block(1, 0));
    CHECK(range.end == range.begin + width);
    const auto indices = dash::local_index_range(begin, begin + width);
    CHECK(matrix.lbegin() + indices.begin == range.begin);
    CHECK(indices.end - indices.begin == width);
    CHECK(dash::local_range(begin, begin).begin == nullptr);

    auto row = matrix.local.row(2);
    const auto box = row.begin().viewspec();  // in both dimensions if stored block by block
    CHECK(box.extents().back() == row.size());
    CHECK(box.size() == row.size());
    CHECK(dash::local_range(row.begin() + 1, row.begin() + 3).begin == &row[1]);
    CHECK(matrix.lbegin()[dash::local_index_range(row.begin(), row.begin() + 1).begin] == row[0]);

    // A column has gaps.
    auto column = matrix.local.block(0).col(1);
    CHECK(dash::local_index_ranges(column.begin(), column.end()).ranges.size() == 3);
    CHECK_THROWS_AS(dash::local_range(column.begin(), column.end()),
                    dash::exception::InvalidArgument);
  });
}

TEST_CASE("A slice has the extents of its box in all dimensions of the matrix") {
  dash::NArray<int, 3> cube(3, 4 * dash::size(), 5, dash::NONE, dash::BLOCKED, dash::NONE);
  dash::generate_with_index(cube.begin(), cube.end(),
                            [](index_t i) { return static_cast<int>(i); });
  cube.barrier();
  const auto slice = cube[1];
  static_assert(decltype(slice)::ndim() == 2);
  CHECK(slice.extent(0) == 1);
  CHECK(slice.extent(1) == 4 * dash::size());
  CHECK(slice.extent(2) == 5);
  CHECK(slice.extents() == std::array<std::size_t, 3>{1, 4 * dash::size(), 5});
  CHECK(slice.offsets() == std::array<index_t, 3>{1, 0, 0});
  CHECK_THROWS_AS(slice.extent(3), dash::exception::OutOfRange);
  CHECK(slice[2][3] == cube(1, 2, 3));
  CHECK(slice.at(2, 3) == cube(1, 2, 3));
  const auto element = cube.sub<2>(4)[2];
  CHECK(element.extents() == std::array<std::size_t, 3>{1, 4 * dash::size(), 1});
  // Views have the dimensions of the slice.
  const auto row = dash::sub<1>(1, 3, cube.sub<2>(4).sub<0>(1, 1));
  CHECK(row.size() == 2);
  CHECK(row.begin()[1] == cube(1, 2, 4));
  const auto columns = dash::sub<1>(1, 3, cube.sub<2>(4));
  static_assert(decltype(columns)::ndim() == 2);
  CHECK(columns.begin()[0] == cube(0, 1, 4));
  CHECK(columns.begin()[2] == cube(1, 1, 4));
  cube.barrier();
}

TEST_CASE("Patterns and containers with unsigned index types") {
  using Ranges = dash::CSRPattern<1, dash::ROW_MAJOR, unsigned>;
  const std::vector<unsigned> sizes(dash::size(), 3U);
  const Ranges ranges(sizes);
  dash::Array<int, unsigned, Ranges> array(ranges);
  for (unsigned i = 0; i < array.size(); ++i) {
    if (array[i].is_local()) array[i] = static_cast<int>(i);
  }
  array.barrier();
  CHECK(array[0U] == 0);
  CHECK(array[array.size() - 1] == static_cast<int>(array.size()) - 1);
  CHECK(array.end() - array.begin() == static_cast<index_t>(array.size()));
  CHECK(ranges.unit_at(3U * dash::size() - 1U) == static_cast<int>(dash::size()) - 1);

  dash::Array<int, std::size_t> numbers(10 * dash::size());
  for (std::size_t i = 0; i < numbers.lsize(); ++i)
    numbers.local[i] = 7;
  numbers.barrier();
  CHECK(std::accumulate(numbers.begin(), numbers.end(), 0) == static_cast<int>(70 * dash::size()));

  using Blocks = dash::Pattern<2, dash::ROW_MAJOR, std::size_t>;
  const Blocks blocks(dash::SizeSpec<2, std::size_t>(2 * dash::size(), 5),
                      dash::DistributionSpec<2>(dash::BLOCKED, dash::NONE),
                      dash::TeamSpec<2, std::size_t>(dash::Team::All()), dash::Team::All());
  dash::NArray<int, 2, std::size_t, Blocks> matrix(blocks);
  const std::size_t last = matrix.extent(0) - 1;
  if (dash::myid() == 0) matrix[last][std::size_t{4}] = 3;
  matrix.barrier();
  CHECK(matrix(last, std::size_t{4}) == 3);
  dash::Matrix<int, 2, unsigned> tiles(4 * dash::size(), 4, dash::TILE(2), dash::TILE(2));
  if (dash::myid() == 0) tiles[1U][2U] = 5;
  tiles.barrier();
  CHECK(tiles.at(1U, 2U) == 5);
  const dash::ShiftTilePattern<2, dash::ROW_MAJOR, unsigned long> shifted(
      2 * dash::size(), 2 * dash::size(), dash::TILE(2), dash::TILE(2));
  CHECK(shifted.local_size() == 4 * dash::size());
  // Indices are signed, because differences of iterators can be negative.
  static_assert(std::is_same_v<Blocks::index_type, std::make_signed_t<std::size_t>>);
  static_assert(std::is_same_v<Blocks::size_type, std::size_t>);
  dash::barrier();
}
