// dash-test: parallel units=1,2,3,4,7

#include <array>
#include <tuple>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/Pattern.h"
#include "dash/internal/transfer/BoxRows.h"
#include "dash/internal/transfer/ContiguousBlocks.h"
#include "dash/internal/transfer/LocalBlocks.h"
#include "support/Catch.h"
#include "support/Pick.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;

namespace {

using dash::test::pick;
using dash::test::pick_distribution;
using dash::test::Random;

/// Number of errors: the contiguous blocks of a range must be its elements, in order, and of
/// maximal length.
template <class It>
index_t count_wrong_blocks(const It& first, const It& last) {
  index_t wrong = 0;
  index_t expected = 0;
  dash::internal::for_each_element_block(first, last, [&](const auto& block) {
    wrong += block.position == expected && block.length > 0 ? 0 : 1;
    for (index_t i = 0; i < block.length; ++i) {
      const auto location = (first + expected).lpos();
      wrong += location.unit == block.unit && location.index == block.index + i ? 0 : 1;
      ++expected;
    }
  });
  return wrong + (expected == std::max<index_t>(last - first, 0) ? 0 : 1);
}

/// Number of errors: the rows of a part of a box must be its elements, in order.
/// \param groups  counts the lookups in the pattern
template <class It>
index_t count_wrong_rows(It it, const It& last, index_t& groups) {
  index_t wrong = 0;
  while (it != last) {
    const auto rows = dash::internal::next_rows(it, last - it);
    ++groups;
    if (rows.count < 1 || rows.first_row.length < 1 ||
        rows.count * rows.first_row.length > last - it)
      return wrong + 1;
    for (index_t row = 0; row < rows.count; ++row) {
      for (index_t i = 0; i < rows.first_row.length; ++i, ++it) {
        const auto location = it.lpos();
        const index_t index = rows.first_row.index + row * rows.stride + i;
        wrong += location.unit == rows.first_row.unit && location.index == index ? 0 : 1;
      }
    }
  }
  return wrong;
}

/// Number of errors: the local blocks of a range must be the caller's elements, in order, with
/// their positions.
template <class It>
index_t count_wrong_local_blocks(const It& first, const It& last) {
  std::vector<std::pair<index_t, index_t>> expected;  // local index, position
  for (index_t position = 0; position < last - first; ++position) {
    const auto it = first + position;
    if (it.is_local()) expected.emplace_back(it.lpos().index, position);
  }
  index_t wrong = 0;
  std::size_t next = 0;
  auto* const base = static_cast<typename It::local_type>(first.globmem().local_begin());
  for (const auto& block : dash::internal::local_blocks_of(first, last)) {
    wrong += block.ordinal == static_cast<index_t>(next) && block.data == base + block.local_index
                 ? 0
                 : 1;
    index_t covered = 0;
    dash::internal::for_each_position_block(
        first, block, [&](auto* begin, auto length, auto position) {
          for (index_t i = 0; i < length; ++i, ++covered) {
            const bool same = next < expected.size() && begin + i == base + expected[next].first &&
                              position + i == expected[next].second;
            wrong += same ? 0 : 1;
            ++next;
          }
        });
    wrong += covered == block.length ? 0 : 1;
  }
  return wrong + (next == expected.size() ? 0 : 1);
}

template <class It>
index_t count_wrong(const It& first, const It& last) {
  return count_wrong_blocks(first, last) + count_wrong_local_blocks(first, last);
}

template <class Pattern>
void check_random_boxes(int rounds) {
  Random random(dash::test::seed());
  constexpr dash::dim_t N = Pattern::ndim();
  for (int round = 0; round < rounds; ++round) {
    std::array<std::size_t, N> extents{};
    std::array<dash::Distribution, N> dists{};
    for (std::size_t d = 0; d < N; ++d) {
      extents[d] = static_cast<std::size_t>(pick(random, 1, N == 1 ? 60 : 9));
      dists[d] = pick_distribution(random);
    }
    if (std::all_of(dists.begin(), dists.end(),
                    [](const auto& dist) { return dist == dash::NONE; })) {
      dists[0] = dash::BLOCKED;
    }
    const Pattern pattern(dash::SizeSpec<N>(extents), dash::DistributionSpec<N>(dists),
                          dash::TeamSpec<N>{dash::Team::All()});
    dash::Matrix<int, N, index_t, Pattern> matrix(pattern);
    const auto size = static_cast<index_t>(matrix.size());
    const auto begin = pick(random, 0, size);
    const auto end = pick(random, begin, size);
    CAPTURE(round, extents, begin, end);
    CHECK(count_wrong(matrix.begin(), matrix.end()) == 0);
    CHECK(count_wrong(matrix.begin() + begin, matrix.begin() + end) == 0);

    auto box = typename Pattern::viewspec_type(pattern.extents());
    for (dash::dim_t d = 0; d < N; ++d) {
      const auto extent = static_cast<index_t>(extents[static_cast<std::size_t>(d)]);
      const auto offset = pick(random, 0, extent - 1);
      box.resize_dim(d, offset, static_cast<std::size_t>(pick(random, 1, extent - offset)));
    }
    using ViewIter = typename dash::MatrixRef<int, N, N, Pattern>::iterator;
    const ViewIter first(&matrix.begin().globmem(), matrix.pattern(), box);
    const auto box_size = static_cast<index_t>(box.size());
    const auto box_begin = pick(random, 0, box_size);
    const auto box_end = pick(random, box_begin, box_size);
    CAPTURE(box, box_begin, box_end);
    CHECK(count_wrong(first, first + box_size) == 0);
    CHECK(count_wrong(first + box_begin, first + box_end) == 0);
    index_t groups = 0;
    CHECK(count_wrong_rows(first, first + box_size, groups) == 0);
    CHECK(count_wrong_rows(first + box_begin, first + box_end, groups) == 0);
  }
}

}  // namespace

TEST_CASE("Contiguous blocks of random ranges and boxes of blocks: the elements, in order") {
  check_random_boxes<dash::BlockPattern<1>>(30);
  check_random_boxes<dash::BlockPattern<2>>(30);
  check_random_boxes<dash::BlockPattern<2, dash::COL_MAJOR>>(20);
  check_random_boxes<dash::BlockPattern<3>>(15);
}

TEST_CASE("Contiguous blocks of random ranges and boxes of tiles: the elements, in order") {
  check_random_boxes<dash::TilePattern<1>>(20);
  check_random_boxes<dash::TilePattern<2>>(30);
  check_random_boxes<dash::TilePattern<3, dash::COL_MAJOR>>(15);
}

TEST_CASE(
    "Contiguous blocks of random ranges and boxes of round-robin tiles: the elements, in order") {
  check_random_boxes<dash::ShiftTilePattern<2>>(30);
  check_random_boxes<dash::SeqTilePattern<2, dash::COL_MAJOR>>(20);
}

TEST_CASE("Contiguous blocks of random ranges of an array of ranges: the elements, in order") {
  Random random(dash::test::seed());
  using Pattern = dash::CSRPattern<1>;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::size_t> sizes(dash::size());
    for (auto& size : sizes)
      size = static_cast<std::size_t>(pick(random, 0, 9));
    sizes.front() += 1;
    dash::Array<int, index_t, Pattern> array((Pattern(sizes)));
    const auto size = static_cast<index_t>(array.size());
    const auto begin = pick(random, 0, size);
    const auto end = pick(random, begin, size);
    CAPTURE(sizes, begin, end);
    CHECK(count_wrong(array.begin() + begin, array.begin() + end) == 0);
  }
}

TEST_CASE("Rows of a box: all rows of a block are found by one lookup") {
  const auto units = static_cast<index_t>(dash::size());
  const auto check = [&](auto& matrix, index_t expected) {
    const auto box = matrix.template sub<0>(1, matrix.extent(0) - 2).template sub<1>(3, 5);
    index_t groups = 0;
    CHECK(count_wrong_rows(box.begin(), box.end(), groups) == 0);
    CHECK(groups == expected);
  };
  const auto rows = static_cast<std::size_t>(8 * units);
  dash::Matrix<int, 2> blocked(rows, 20, dash::BLOCKED, dash::NONE);
  check(blocked, units);
  dash::Matrix<int, 2, index_t, dash::TilePattern<2>> tiled(rows, 20, dash::TILE(8),
                                                            dash::TILE(20));
  check(tiled, units);
  dash::Matrix<int, 3> planes(3 * rows, 9, 20, dash::BLOCKED, dash::NONE, dash::NONE);
  // The rows of each plane.
  const auto box = planes.sub<0>(0, 2).sub<1>(2, 6).sub<2>(1, 4);
  index_t groups = 0;
  CHECK(count_wrong_rows(box.begin(), box.end(), groups) == 0);
  CHECK(groups == 2);
}

TEST_CASE("Contiguous blocks of a pointer range: one for each unit") {
  dash::Array<int> array(4 * dash::size() + 1);
  const dash::GlobPtr<int> begin(array.begin());
  std::size_t expected = 2;
  dash::internal::for_each_contiguous_block(
      begin + 2, dash::GlobPtr<int>(array.end()),
      [&](const dart_gptr_t& gptr, std::size_t nelem, std::size_t position) {
        const auto location = array.pattern().local(static_cast<index_t>(expected));
        CHECK(position == expected - 2);
        CHECK(gptr.unitid == location.unit.id);
        CHECK(gptr.addr_or_offs.offset == static_cast<std::size_t>(location.index) * sizeof(int));
        expected += nelem;
      });
  CHECK(expected == array.size());
  array.barrier();
}

TEST_CASE("Contiguous blocks of empty and reversed ranges: none") {
  dash::Array<int> array(10);
  int runs = 0;
  const auto count = [&runs](const auto&...) { ++runs; };
  dash::internal::for_each_contiguous_block(array.begin(), array.begin(), count);
  dash::internal::for_each_contiguous_block(array.begin() + 5, array.begin() + 3, count);
  CHECK(dash::internal::local_blocks_of(array.end(), array.begin()).empty());
  CHECK(runs == 0);
  array.barrier();
}
