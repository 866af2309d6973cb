// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include "dash/algorithm/LocalRange.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Pattern.h"
#include "dash/View.h"
#include "support/Catch.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;

namespace {

/// Checks local ranges of random parts of a range against the local index of each element.
template <class Container, class Range>
void check_random_parts(const Container& container, const Range& range, int rounds) {
  std::mt19937 random(dash::test::seed());
  const auto size = static_cast<index_t>(range.end() - range.begin());
  for (int round = 0; round < rounds; ++round) {
    auto begin = std::uniform_int_distribution<index_t>(0, size)(random);
    auto end = std::uniform_int_distribution<index_t>(0, size)(random);
    if (end < begin) std::swap(begin, end);
    const auto first = range.begin() + begin;
    const auto last = range.begin() + end;
    std::vector<index_t> expected;
    for (auto it = first; it != last; ++it) {
      if (it.is_local()) expected.push_back(it.lpos().index);
    }
    std::sort(expected.begin(), expected.end());

    std::vector<index_t> found;
    const auto ranges = dash::local_index_ranges(first, last).ranges;
    for (const auto& part : ranges) {
      CHECK(part.begin < part.end);
      for (index_t index = part.begin; index < part.end; ++index)
        found.push_back(index);
    }
    std::sort(found.begin(), found.end());
    CAPTURE(round, begin, end);
    CHECK(found == expected);

    if (ranges.size() > 1) {
      CHECK_THROWS_AS(dash::local_index_range(first, last), dash::exception::InvalidArgument);
      continue;
    }
    const auto indices = dash::local_index_range(first, last);
    const auto native = dash::local_range(first, last);
    CHECK(indices.end - indices.begin == static_cast<index_t>(expected.size()));
    CHECK(native.end - native.begin == static_cast<index_t>(expected.size()));
    if (expected.empty()) {
      CHECK(native.begin == nullptr);
    } else {
      CHECK(indices.begin == expected.front());
      CHECK(native.begin == container.lbegin() + expected.front());
    }
  }
}

/// Checks a whole matrix, and a box of it.
template <class Pattern>
void check_matrix(const Pattern& pattern) {
  dash::Matrix<int, 2, index_t, Pattern> matrix(pattern);
  const auto rows = matrix.extent(0);
  const auto cols = matrix.extent(1);
  check_random_parts(matrix, matrix, 20);
  check_random_parts(matrix, matrix.template sub<0>(1, rows - 2).template sub<1>(2, cols - 3), 20);
  dash::barrier();
}

template <class Pattern>
void check_array(const Pattern& pattern) {
  dash::Array<int, index_t, Pattern> array(pattern);
  check_random_parts(array, array, 30);
  array.barrier();
}

/// Checks that the overload for a range gives the result of its two iterators.
template <class Range>
void check_whole(Range&& range) {
  const auto begin = range.begin();
  const auto end = range.end();
  const auto expected = dash::local_index_ranges(begin, end).ranges;
  const auto found = dash::local_index_ranges(range).ranges;
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].begin == expected[i].begin);
    CHECK(found[i].end == expected[i].end);
  }
  if (expected.size() > 1) {
    CHECK_THROWS_AS(dash::local_range(range), dash::exception::InvalidArgument);
    return;
  }
  CHECK(dash::local_index_range(range).end == dash::local_index_range(begin, end).end);
  CHECK(dash::local_range(range).begin == dash::local_range(begin, end).begin);
  CHECK(dash::local_range(range).end == dash::local_range(begin, end).end);
}

}  // namespace

TEST_CASE("local ranges of containers, boxes and views equal those of their iterators") {
  dash::Array<int> array(50);
  check_whole(array);
  check_whole(std::as_const(array));
  check_whole(dash::sub(7, 41, array));
  CHECK(dash::local_range(array).begin == array.lbegin());
  CHECK(dash::local_range(array).end == array.lend());
  dash::Matrix<int, 2> matrix(12, 16);
  check_whole(matrix);
  check_whole(matrix.sub<1>(2, 5));
  check_whole(matrix.sub<0>(1, 9).sub<1>(2, 13));
  dash::barrier();
}

TEST_CASE("local ranges of sub-ranges of arrays are exact for every pattern") {
  for (const auto& dist : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(4)})
    check_array(dash::Pattern<1>(50, dist));
  check_array(dash::TilePattern<1>(48, dash::TILE(4)));
  std::vector<std::size_t> sizes;
  for (std::size_t unit = 0; unit < dash::size(); ++unit)
    sizes.push_back(unit % 2 == 0 ? 7 : 2 * unit);
  check_array(dash::CSRPattern<1>(sizes));
}

TEST_CASE("local ranges of sub-ranges and boxes of matrices are exact for every pattern") {
  const dash::SizeSpec<2> sizes(12, 16);
  const dash::DistributionSpec<2> tiles(dash::TILE(3), dash::TILE(4));
  dash::TeamSpec<2> units(dash::Team::All());
  units.balance_extents();
  check_matrix(
      dash::Pattern<2>(sizes, dash::DistributionSpec<2>(dash::CYCLIC, dash::BLOCKED), units));
  check_matrix(dash::Pattern<2, dash::COL_MAJOR>(sizes, tiles, units));
  check_matrix(dash::TilePattern<2>(sizes, tiles, units));
  check_matrix(dash::ShiftTilePattern<2>(sizes, tiles));
  check_matrix(dash::SeqTilePattern<2>(sizes, tiles));
}
