// dash-test: serial

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "MappingChecks.h"
#include "dash/pattern/internal/RangesMapping.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

TEST_CASE(
    "Mappings in one dimension: locations, blocks and contiguous blocks of all elements: as in the "
    "model") {
  Random random(dash::test::seed());
  Mismatches same;
  for (index_t extent = 0; extent <= 30; ++extent) {
    for (const auto& dist : distributions) {
      for (index_t units = 1; units <= 7; ++units)
        check_all<1>({extent}, {dist}, {units}, random, same);
    }
  }
  CHECK(same.checked > 100000);
  CHECK(same.failed == 0);
}

TEST_CASE(
    "Mappings in two dimensions: locations, blocks and contiguous blocks of all elements: as in "
    "the model") {
  Random random(dash::test::seed());
  const std::vector<std::array<index_t, 2>> grids = {{1, 1}, {2, 1}, {1, 3}, {2, 2},
                                                     {5, 1}, {3, 2}, {1, 7}};
  Mismatches same;
  for (const index_t rows : {0, 1, 8}) {
    for (const index_t cols : {1, 7}) {
      for (const auto& dist_rows : distributions) {
        for (const auto& dist_cols : distributions) {
          for (const auto& grid : grids)
            check_all<2>({rows, cols}, {dist_rows, dist_cols}, grid, random, same);
        }
      }
    }
  }
  CHECK(same.checked > 1000000);
  CHECK(same.failed == 0);
}

TEST_CASE("RangesMapping: ranges of random sizes: locations of all elements: as distributed") {
  Random random(dash::test::seed());
  Mismatches same;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::size_t> sizes(static_cast<std::size_t>(pick(random, 1, 9)));
    for (auto& size : sizes)
      size = static_cast<std::size_t>(pick(random, 0, 3) == 0 ? 0 : pick(random, 0, 40));
    const dash::internal::RangesMapping<dash::ROW_MAJOR, index_t> mapping(sizes);
    index_t index = 0;
    for (std::size_t unit = 0; unit < sizes.size(); ++unit) {
      const auto size = static_cast<index_t>(sizes[unit]);
      for (index_t local = 0; local < size; ++local, ++index) {
        const auto location = mapping.location(index);
        same(mapping.unit_at({{index}}) == location.unit);
        same(location.unit == static_cast<index_t>(unit) && location.index == local);
        same(mapping.coords_of_local(location.unit, local)[0] == index);
        same(mapping.contiguous_block_at(index).length == size - local);
      }
      same(mapping.local_size(static_cast<index_t>(unit)) == sizes[unit]);
    }
  }
  CHECK(same.failed == 0);
}

namespace {

constexpr dash::internal::BlockMapping<2, dash::ROW_MAJOR, index_t> block_mapping(
    {{10, 8}}, {{dash::BLOCKED, dash::CYCLIC}}, {{2, 3}});
constexpr dash::internal::TileMapping<2, dash::COL_MAJOR, index_t> tile_mapping(
    {{10, 8}}, {{dash::TILE(3), dash::TILE(3)}}, {{2, 2}});

/// For mappings with tables, which must be freed within a constant evaluation.
template <Skew S>
constexpr bool inverse_agrees() {
  const dash::internal::SkewedMapping<2, dash::ROW_MAJOR, index_t, S> mapping(
      {{10, 8}}, {{dash::TILE(3), dash::TILE(3)}}, {{3, 1}});
  const auto location = mapping.location({{9, 5}});
  return mapping.coords_of_local(location.unit, location.index) == std::array<index_t, 2>{9, 5};
}

}  // namespace

TEST_CASE("Mappings of constants: evaluated at compile time") {
  STATIC_REQUIRE(block_mapping.unit_at({{7, 4}}) == 4);
  STATIC_REQUIRE(block_mapping.location({{7, 4}}).index == 2 * 3 + 1);
  STATIC_REQUIRE(block_mapping.coords_of_local({{1, 1}}, 7) == std::array<index_t, 2>{7, 4});
  STATIC_REQUIRE(tile_mapping.unit_at({{9, 3}}) == 3);
  STATIC_REQUIRE(tile_mapping.location({{9, 3}}).index == 9);
  STATIC_REQUIRE(tile_mapping.coords(tile_mapping.global_at({{9, 3}})) ==
                 std::array<index_t, 2>{9, 3});
  STATIC_REQUIRE(inverse_agrees<Skew::diagonal>());
  STATIC_REQUIRE(inverse_agrees<Skew::sequential>());
}

namespace {

/// Whether the last elements of the largest range indexable by int are mapped correctly, and the
/// last parts end at its end. Overflow is not a constant expression.
constexpr bool reaches_the_largest_index(dash::Distribution distribution, int units) {
  constexpr int extent = std::numeric_limits<int>::max();
  const dash::internal::BlockMapping<1, dash::ROW_MAJOR, int> mapping(
      {{extent}}, {{distribution}}, {{static_cast<unsigned>(units)}});
  unsigned size = 0;
  int parts_end = 0;
  for (int unit = 0; unit < units; ++unit) {
    size += mapping.local_size({{unit}});
    if (mapping.local_size({{unit}}) > mapping.local_capacity()) return false;
    mapping.for_each_part_of_row({{unit}}, {{0}}, extent - 5, extent,
                                 [&](int, int end) { parts_end = std::max(parts_end, end); });
    const dash::ViewSpec<1, int> last({{extent - 1}}, {{1}});
    if (mapping.owns_any({{unit}}, last) != (mapping.unit_at({{extent - 1}}) == unit)) return false;
  }
  const auto location = mapping.location(extent - 1);
  return size == extent && parts_end == extent &&
         mapping.contiguous_block_at(extent - 1).length == 1 &&
         mapping.global_of_local({{location.unit}}, location.index) == extent - 1;
}
constexpr int owner_of_the_largest_index() {
  constexpr unsigned half = std::numeric_limits<int>::max() / 2;
  const dash::internal::RangesMapping<dash::ROW_MAJOR, int> mapping({half, half + 1});
  return mapping.unit_at({{std::numeric_limits<int>::max() - 1}});
}

}  // namespace

TEST_CASE("Mappings of as many elements as an index can count: can access the last one") {
  STATIC_REQUIRE(reaches_the_largest_index(dash::BLOCKED, 2));
  STATIC_REQUIRE(reaches_the_largest_index(dash::CYCLIC, 5));
  STATIC_REQUIRE(reaches_the_largest_index(dash::BLOCKCYCLIC(1000), 1));
  STATIC_REQUIRE(reaches_the_largest_index(dash::BLOCKCYCLIC(1000), 3));
  STATIC_REQUIRE(owner_of_the_largest_index() == 1);
}
