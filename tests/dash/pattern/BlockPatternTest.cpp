// dash-test: serial

#include "dash/pattern/BlockPattern.h"

#include <array>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <type_traits>
#include <vector>

#include "dash/Exception.h"
#include "support/Catch.h"

namespace {

using dash::dim_t;
using dash::MemArrange;
using dash::team_unit_t;
using index_t = dash::default_index_t;

/// The reference for a pattern, computed directly: the owner of every element of every dimension is
/// enumerated, and a unit's memory is filled in canonical order of its coordinates.
template <dim_t N, MemArrange Order>
class Model {
 public:
  using Coords = std::array<index_t, N>;

  Model(Coords extents, const std::array<dash::Distribution, N>& dists, Coords units)
      : _extents(extents), _units(units) {
    for (std::size_t d = 0; d < N; ++d) {
      const index_t block = dists[d].max_blocksize_in_range(extents[d], units[d]);
      std::map<index_t, index_t> next;
      for (index_t g = 0; g < extents[d]; ++g) {
        const index_t unit = g / block % units[d];
        _owner[d].push_back(unit);
        _local[d].push_back(next[unit]++);
      }
    }
  }

  index_t owner(const Coords& g) const {
    index_t unit = 0;
    for (std::size_t d = 0; d < N; ++d)
      unit = unit * _units[d] + _owner[d][to_size(g[d])];
    return unit;
  }
  Coords local(const Coords& g) const {
    Coords result{};
    for (std::size_t d = 0; d < N; ++d)
      result[d] = _local[d][to_size(g[d])];
    return result;
  }
  Coords local_extents(index_t unit) const {
    Coords result{};
    for (std::size_t i = N; i-- > 0; unit /= _units[i]) {
      for (const index_t owner : _owner[i])
        result[i] += owner == unit % _units[i] ? 1 : 0;
    }
    return result;
  }
  static index_t linear(const Coords& coords, const Coords& extents) {
    index_t index = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const std::size_t d = Order == dash::ROW_MAJOR ? i : N - 1 - i;
      index = index * extents[d] + coords[d];
    }
    return index;
  }
  /// All coordinates, in the order of the linear global index.
  std::vector<Coords> all() const {
    index_t size = 1;
    for (const index_t extent : _extents)
      size *= extent;
    std::vector<Coords> result;
    for (index_t index = 0; index < size; ++index) {
      index_t rest = index;
      Coords coords{};
      for (std::size_t i = N; i-- > 0;) {
        const std::size_t d = Order == dash::ROW_MAJOR ? i : N - 1 - i;
        coords[d] = rest % _extents[d];
        rest /= _extents[d];
      }
      result.push_back(coords);
    }
    return result;
  }

 private:
  static std::size_t to_size(index_t value) { return static_cast<std::size_t>(value); }

  Coords _extents;
  Coords _units;
  std::array<std::vector<index_t>, N> _owner;
  std::array<std::vector<index_t>, N> _local;
};

template <dim_t N, class From>
std::array<std::size_t, N> to_sizes(const From& from) {
  std::array<std::size_t, N> result{};
  for (std::size_t d = 0; d < N; ++d)
    result[d] = static_cast<std::size_t>(from[d]);
  return result;
}

/// Counts mismatches instead of asserting each comparison: an exhaustive test makes millions of
/// comparisons.
struct Mismatches {
  std::size_t checked = 0;
  std::size_t failed = 0;
  void operator()(bool ok) {
    ++checked;
    failed += ok ? 0 : 1;
  }
};

template <dim_t N, MemArrange Order>
void check_against_model(const std::array<index_t, N>& extents,
                         const std::array<dash::Distribution, N>& dists,
                         const std::array<index_t, N>& units, Mismatches& same) {
  using Pattern = dash::BlockPattern<N, Order>;
  const Model<N, Order> model(extents, dists, units);
  const Pattern pattern(dash::SizeSpec<N>(to_sizes<N>(extents)), dash::DistributionSpec<N>(dists),
                        dash::TeamSpec<N>(to_sizes<N>(units)));
  std::set<std::pair<index_t, index_t>> locations;
  index_t index = 0;
  for (const auto& coords : model.all()) {
    const index_t unit = model.owner(coords);
    const auto local = model.local(coords);
    const index_t location = model.linear(local, model.local_extents(unit));
    const team_unit_t unit_id(static_cast<int>(unit));

    same(pattern.unit_at(coords) == unit);
    same(pattern.unit_at(index) == unit);
    same(pattern.local(index).unit == unit && pattern.local(index).index == location);
    same(pattern.local(coords).unit == unit && pattern.local(coords).coords == local);
    same(pattern.local_index(coords).index == location && pattern.at(coords) == location);
    same(pattern.local_coords(coords) == local);
    same(pattern.coords(index) == coords && pattern.global_at(coords) == index);
    same(pattern.global(unit_id, local) == coords);
    same(pattern.global_index(unit_id, local) == index);
    same(pattern.global(unit_id, location) == index);
    same(locations.emplace(unit, location).second);

    // The contiguous block extends as far as owner and memory are contiguous, and no further.
    const auto contiguous = pattern.contiguous_block_at(index);
    same(contiguous.unit == unit && contiguous.index == location && contiguous.length >= 1);
    for (index_t i = 1; i < contiguous.length; ++i) {
      same(pattern.local(index + i).unit == unit && pattern.local(index + i).index == location + i);
    }

    const auto block = pattern.block(pattern.block_at(coords));
    for (std::size_t d = 0; d < N; ++d) {
      const auto offset = coords[d] - block.offsets()[d];
      same(offset >= 0 && offset < static_cast<index_t>(block.extents()[d]));
    }
    const auto local_block = pattern.local_block_at(coords);
    same(local_block.unit == unit && pattern.local_block(unit_id, local_block.index) == block);
    ++index;
  }
  std::size_t sum = 0;
  for (int unit = 0; unit < static_cast<int>(pattern.num_units()); ++unit) {
    const auto local_extents = model.local_extents(unit);
    same(pattern.local_extents(team_unit_t(unit)) == to_sizes<N>(local_extents));
    same(pattern.local_size(team_unit_t(unit)) <= pattern.local_capacity());
    sum += pattern.local_size(team_unit_t(unit));
  }
  same(sum == pattern.size());
  same(static_cast<std::size_t>(index) == pattern.size());
}

const std::array<dash::Distribution, 7> all_distributions = {
    dash::NONE,           dash::BLOCKED,        dash::CYCLIC, dash::BLOCKCYCLIC(2),
    dash::BLOCKCYCLIC(3), dash::BLOCKCYCLIC(7), dash::TILE(2)};

}  // namespace

TEST_CASE("BlockPattern in one dimension: locations of all elements: as in the model") {
  Mismatches same;
  for (index_t extent = 0; extent <= 30; ++extent) {
    for (const auto& dist : all_distributions) {
      for (index_t units = 1; units <= 7; ++units) {
        check_against_model<1, dash::ROW_MAJOR>({extent}, {dist}, {units}, same);
      }
    }
  }
  INFO(same.checked << " comparisons");
  CHECK(same.checked > 10000);
  CHECK(same.failed == 0);
}

TEST_CASE("BlockPattern in two dimensions: locations of all elements: as in the model") {
  Mismatches same;
  for (const index_t rows : {0, 1, 2, 5, 8}) {
    for (const index_t cols : {1, 3, 6, 7}) {
      for (const auto& dist_rows : all_distributions) {
        for (const auto& dist_cols : all_distributions) {
          for (const auto& units : std::vector<std::array<index_t, 2>>{
                   {1, 1}, {2, 1}, {1, 3}, {2, 2}, {5, 1}, {3, 2}, {1, 7}}) {
            check_against_model<2, dash::ROW_MAJOR>({rows, cols}, {dist_rows, dist_cols}, units,
                                                    same);
            check_against_model<2, dash::COL_MAJOR>({rows, cols}, {dist_rows, dist_cols}, units,
                                                    same);
          }
        }
      }
    }
  }
  CHECK(same.checked > 100000);
  CHECK(same.failed == 0);
}

TEST_CASE("BlockPattern in three dimensions: locations of all elements: as in the model") {
  const std::array<dash::Distribution, 4> some = {dash::NONE, dash::BLOCKED, dash::CYCLIC,
                                                  dash::BLOCKCYCLIC(2)};
  Mismatches same;
  for (const auto& a : some) {
    for (const auto& b : some) {
      for (const auto& c : some) {
        for (const auto& extents : std::vector<std::array<index_t, 3>>{{4, 3, 5}, {1, 5, 2}}) {
          for (const auto& units : std::vector<std::array<index_t, 3>>{
                   {1, 1, 1}, {2, 1, 1}, {1, 2, 2}, {2, 3, 1}, {1, 1, 7}}) {
            check_against_model<3, dash::ROW_MAJOR>(extents, {a, b, c}, units, same);
            check_against_model<3, dash::COL_MAJOR>(extents, {a, b, c}, units, same);
          }
        }
      }
    }
  }
  CHECK(same.checked > 100000);
  CHECK(same.failed == 0);
}

TEST_CASE(
    "BlockPattern: contiguous_block_at in an undistributed dimension: spans all of its rows") {
  const dash::SizeSpec<2> sizes(8, 5);
  const dash::BlockPattern<2> rows(sizes, dash::DistributionSpec<2>(dash::BLOCKED, dash::NONE),
                                   dash::TeamSpec<2>(2, 1));
  CHECK(rows.contiguous_block_at(0).length == 20);
  CHECK(rows.contiguous_block_at(7).length == 13);
  CHECK(rows.contiguous_block_at(20).unit == 1);
  const dash::BlockPattern<2> cols(sizes, dash::DistributionSpec<2>(dash::NONE, dash::BLOCKED),
                                   dash::TeamSpec<2>(1, 2));
  CHECK(cols.contiguous_block_at(0).length == 3);
  CHECK(cols.contiguous_block_at(3).length == 2);
  const dash::BlockPattern<2> alone(sizes, dash::DistributionSpec<2>(dash::CYCLIC, dash::CYCLIC),
                                    dash::TeamSpec<2>(1, 1));
  CHECK(alone.contiguous_block_at(3).length == 37);
}

TEST_CASE("BlockPattern: views: coordinates and offsets relative to the view") {
  const dash::BlockPattern<2> pattern(dash::SizeSpec<2>(6, 8),
                                      dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED),
                                      dash::TeamSpec<2>(2, 2));
  const dash::ViewSpec<2> view({2, 3}, {3, 4});
  CHECK(pattern.coords(5, view) == std::array<index_t, 2>{3, 4});
  CHECK(pattern.unit_at({{0, 0}}, view) == 0);
  CHECK(pattern.unit_at({{1, 1}}, view) == 3);
  CHECK(pattern.unit_at(5, view) == 3);
  CHECK(pattern.global_at({{1, 1}}, view) == 3 * 8 + 4);
  CHECK(pattern.at({{1, 1}}, view) == 0);
  CHECK(pattern.has_local_elements(0, 0, team_unit_t(0), view));
  CHECK_FALSE(pattern.has_local_elements(0, 1, team_unit_t(0), view));
  CHECK_FALSE(pattern.has_local_elements(0, 3, team_unit_t(2), view));
  CHECK(pattern.has_local_elements(1, 1, team_unit_t(3), view));
}

TEST_CASE("BlockPattern: blocks: clipped at the end of the range") {
  const dash::BlockPattern<1> pattern(
      dash::SizeSpec<1>(10), dash::DistributionSpec<1>(dash::BLOCKCYCLIC(4)), dash::TeamSpec<1>(2));
  CHECK(pattern.blockspec().size() == 3);
  CHECK(pattern.block(2).offset(0) == 8);
  CHECK(pattern.block(2).extent(0) == 2);
  CHECK(pattern.underfilled_blocksize(0) == 2);
  CHECK(pattern.blocksize(0) == 4);
  CHECK(pattern.max_blocksize() == 4);
  CHECK(pattern.local_capacity() == 8);
  CHECK(pattern.local_size(team_unit_t(0)) == 6);
  CHECK(pattern.local_block(team_unit_t(0), 1).offset(0) == 8);
}

TEST_CASE("BlockPattern: variadic constructor: accepts groups of arguments in any order") {
  using dash::BLOCKED;
  using dash::NONE;
  const dash::TeamSpec<2> grid(2, 3);
  const dash::BlockPattern<2> expected(dash::SizeSpec<2>(6, 9),
                                       dash::DistributionSpec<2>(BLOCKED, BLOCKED), grid);
  CHECK(dash::BlockPattern<2>(6, 9, BLOCKED, BLOCKED, grid) == expected);
  CHECK(dash::BlockPattern<2>(6, 9, grid, BLOCKED, BLOCKED) == expected);
  CHECK(dash::BlockPattern<2>(6, 9, dash::DistributionSpec<2>(BLOCKED, BLOCKED), grid) == expected);
  CHECK(dash::BlockPattern<2>(6, 9, dash::Team::All(), grid, BLOCKED, BLOCKED) == expected);
  CHECK(dash::BlockPattern<2>(dash::SizeSpec<2>(6, 9), BLOCKED, BLOCKED, grid) == expected);
  CHECK(dash::BlockPattern<1>(10) == dash::BlockPattern<1>(10, BLOCKED));
  dash::BlockPattern<2> copy(6, 9, BLOCKED, BLOCKED, grid);
  const dash::BlockPattern<2> of_lvalue(copy);
  CHECK(of_lvalue == expected);
}

TEST_CASE("BlockPattern: a default TeamSpec: adapted to the distribution") {
  const dash::SizeSpec<2> sizes(6, 9);
  // The default grid of a team without units has the extents 0 and 1. This test checks the
  // dimension of the 0, and of the 1 in the explicit grid.
  const dash::BlockPattern<2> pattern(sizes, dash::DistributionSpec<2>(dash::NONE, dash::BLOCKED),
                                      dash::TeamSpec<2>());
  CHECK(pattern.teamspec().extent(0) == 1);
  CHECK(pattern.teamspec().extent(1) == 0);
  const dash::BlockPattern<2> explicit_grid(
      sizes, dash::DistributionSpec<2>(dash::NONE, dash::BLOCKED), dash::TeamSpec<2>(3, 1));
  CHECK(explicit_grid.teamspec().extent(0) == 3);
}

TEST_CASE("BlockPattern: wrong arguments: errors that state the expected values") {
  using Catch::Matchers::ContainsSubstring;
  using dash::exception::AssertionFailed;
  using dash::exception::InvalidArgument;
  using dash::exception::OutOfRange;
  CHECK_THROWS_WITH(dash::BlockPattern<2>(4, -3), ContainsSubstring("extent -3 in dimension 1"));
  CHECK_THROWS_AS(dash::BlockPattern<2>(4, -3), InvalidArgument);
  CHECK_THROWS_WITH((dash::BlockPattern<3>(4, 4, 4, dash::BLOCKED, dash::BLOCKED, dash::NONE)),
                    ContainsSubstring("Cannot infer TeamSpec from mixed DistributionSpec"));
  CHECK_THROWS_AS((dash::BlockPattern<3>(4, 4, 4, dash::BLOCKED, dash::BLOCKED, dash::NONE)),
                  AssertionFailed);
  CHECK_THROWS_AS((dash::BlockPattern<2>(dash::SizeSpec<2>(4, 4),
                                         dash::DistributionSpec<2>(dash::BLOCKED, dash::BLOCKED))),
                  InvalidArgument);
  CHECK_THROWS_AS((dash::BlockPattern<2>(4, 4, dash::TILE(2), dash::BLOCKED)), InvalidArgument);
  CHECK_THROWS_WITH(
      (dash::BlockPattern<2>(4, 5, dash::TILE(2), dash::TILE(2))),
      ContainsSubstring("extent 5 in dimension 1") && ContainsSubstring("tiles of 2"));
  CHECK_THROWS_AS((dash::BlockPattern<2>(4, 5, dash::TILE(2), dash::TILE(2))), AssertionFailed);
  CHECK_THROWS_WITH(dash::TILE(0), ContainsSubstring("block size 0 of TILE"));
  CHECK_THROWS_AS(dash::BlockPattern<1>(10).extent(1), OutOfRange);
  CHECK_THROWS_AS(dash::BlockPattern<1>(~std::size_t{0}), OutOfRange);
  CHECK_THROWS_AS(dash::SizeSpec<2>(std::size_t{1} << 40, std::size_t{1} << 40), OutOfRange);
  CHECK_THROWS_AS(
      (dash::BlockPattern<1>(dash::SizeSpec<1>(3), dash::DistributionSpec<1>(dash::Distribution()),
                             dash::TeamSpec<1>(2))),
      InvalidArgument);
}

TEST_CASE("BlockPattern: default constructed: empty") {
  const dash::BlockPattern<2> pattern;
  CHECK(pattern.size() == 0);
  CHECK(pattern.local_size() == 0);
  CHECK(pattern.local_capacity() == 0);
  CHECK(pattern.lbegin() == 0);
  CHECK(pattern.lend() == 0);
}

TEST_CASE("BlockPattern: properties: canonical, linear, in the order of the pattern") {
  using Row = dash::pattern_traits<dash::BlockPattern<2>>;
  using Col = dash::pattern_traits<dash::BlockPattern<2, dash::COL_MAJOR>>;
  STATIC_REQUIRE(Row::layout::canonical);
  STATIC_REQUIRE(Row::layout::linear);
  STATIC_REQUIRE(Row::layout::row_major);
  STATIC_REQUIRE_FALSE(Row::layout::blocked);
  STATIC_REQUIRE_FALSE(Col::layout::row_major);
  STATIC_REQUIRE(Row::partitioning::rectangular);
  STATIC_REQUIRE(Row::partitioning::unbalanced);
  STATIC_REQUIRE_FALSE(Row::partitioning::minimal);
  STATIC_REQUIRE(Row::mapping::unbalanced);
  STATIC_REQUIRE_FALSE(Row::mapping::diagonal);
  STATIC_REQUIRE(std::is_same_v<dash::Pattern<2>, dash::BlockPattern<2>>);
}
