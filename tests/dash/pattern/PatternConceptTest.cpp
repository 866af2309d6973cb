// dash-test: parallel units=1,2,3,4,7 layouts=node,nolocal modes=auto

#include <array>
#include <cstddef>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Pattern.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/util/TeamLocality.h"
#include "support/Catch.h"

using dash::BLOCKED;
using dash::NONE;
using dash::team_unit_t;
using dash::TILE;

namespace {

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, B>;

/// Whether the members of a pattern have the specified types.
template <class P>
constexpr bool has_specified_types() {
  using I = typename P::index_type;
  using S = typename P::size_type;
  using View = typename P::viewspec_type;
  using Place = typename P::local_index_t;
  using Coords = std::array<I, P::ndim()>;
  using Extents = std::array<S, P::ndim()>;
  using Traits = dash::pattern_traits<P>;
  const auto returns = [](const P& p, const Coords& c, const View& v, team_unit_t unit, I i) {
    static_assert(same<decltype(p.unit_at(c)), team_unit_t>);
    static_assert(same<decltype(p.unit_at(c, v)), team_unit_t>);
    static_assert(same<decltype(p.unit_at(i)), team_unit_t>);
    static_assert(same<decltype(p.unit_at(i, v)), team_unit_t>);
    static_assert(same<decltype(p.extents()), Extents> && same<decltype(p.extent(0)), S>);
    static_assert(same<decltype(p.local_extents(unit)), Extents>);
    static_assert(same<decltype(p.local_extent(0)), S> && same<decltype(p.local_size(unit)), S>);
    static_assert(same<decltype(p.capacity()), S> && same<decltype(p.local_capacity()), S>);
    static_assert(same<decltype(p.local(c)), typename P::local_coords_t>);
    static_assert(same<decltype(p.local(c).coords), Coords>);
    static_assert(same<decltype(p.local(i)), Place> && same<decltype(p.local_index(c)), Place>);
    static_assert(same<decltype(p.local_coords(c)), Coords>);
    static_assert(same<decltype(p.global(unit, c)), Coords> && same<decltype(p.global(c)), Coords>);
    static_assert(same<decltype(p.global(i)), I> && same<decltype(p.global_index(unit, c)), I>);
    static_assert(same<decltype(p.global_at(c, v)), I> && same<decltype(p.at(c, v)), I>);
    static_assert(same<decltype(p.local_at(c, v)), I> && same<decltype(p.block_at(c)), I>);
    static_assert(same<decltype(p.local_block_at(c)), Place>);
    static_assert(same<decltype(p.block(i)), View> && same<decltype(p.local_block(i)), View>);
    static_assert(same<decltype(p.local_block_local(i)), View>);
    static_assert(same<decltype(p.blockspec()), typename Traits::blockspec_type>);
    static_assert(same<decltype(p.local_blockspec()), typename Traits::local_blockspec_type>);
    static_assert(same<decltype(p.teamspec()), dash::TeamSpec<P::ndim(), I>>);
    static_assert(same<decltype(p.distspec()), dash::DistributionSpec<P::ndim()>>);
    static_assert(same<decltype(p.sizespec()), dash::SizeSpec<P::ndim(), S>>);
    static_assert(same<decltype(p.team()), dash::Team> && same<decltype(p.num_units()), S>);
    static_assert(same<decltype(p.coords(i, v)), Coords> && same<decltype(p.is_local(i)), bool>);
    static_assert(same<decltype(p.blocksize(0)), S> && same<decltype(p.max_blocksize()), S>);
    static_assert(same<decltype(p.underfilled_blocksize(0)), S>);
  };
  static_cast<void>(returns);
  static_assert(std::is_signed_v<I> && same<S, std::make_unsigned_t<I>>);
  static_assert(same<View, dash::ViewSpec<P::ndim(), I>>);
  static_assert(same<typename Traits::index_type, I> && same<typename Traits::size_type, S>);
  static_assert(same<typename Traits::partitioning, typename P::partitioning_properties>);
  static_assert(same<typename Traits::mapping, typename P::mapping_properties>);
  static_assert(same<typename Traits::layout, typename P::layout_properties>);
  return true;
}

/// Checks the members against each other, for each element and each of the caller's blocks.
template <class P>
void check_members(P& pattern, const std::string& name) {
  STATIC_REQUIRE(has_specified_types<P>());
  using I = typename P::index_type;
  INFO(pattern);
  CHECK(name == P::PatternName);
  const P copy(pattern);  // of a non-const object: must not select the variadic constructor
  CHECK(copy == pattern);
  CHECK_FALSE(copy != pattern);
  const auto me = pattern.team().myid();
  const auto size = static_cast<I>(pattern.size());
  typename P::extents_type extents = pattern.extents();
  const typename P::viewspec_type all(extents);
  std::size_t wrong = 0;
  I mine = 0;
  I first = 0;
  I last = 0;
  for (I i = 0; i < size; ++i) {
    const auto coords = pattern.coords(i);
    const auto location = pattern.local(i);
    wrong += pattern.global_at(coords) == i && pattern.global_at(coords, all) == i ? 0 : 1;
    wrong +=
        pattern.unit_at(i) == location.unit && pattern.unit_at(coords) == location.unit ? 0 : 1;
    wrong += pattern.unit_at(coords, all) == location.unit ? 0 : 1;
    wrong +=
        pattern.local_index(coords) == location && pattern.at(coords) == location.index ? 0 : 1;
    wrong += pattern.is_local(i) == (location.unit == me) ? 0 : 1;
    wrong += pattern.is_local(i, location.unit) ? 0 : 1;
    const auto local = pattern.local(coords);
    wrong += local.unit == location.unit && pattern.local_coords(coords) == local.coords ? 0 : 1;
    wrong += pattern.global(local.unit, local.coords) == coords ? 0 : 1;
    wrong += pattern.global_index(local.unit, local.coords) == i ? 0 : 1;
    for (dash::dim_t d = 0; d < P::ndim(); ++d) {
      const auto at = coords[static_cast<std::size_t>(d)];
      wrong += pattern.has_local_elements(d, at, location.unit, all) ? 0 : 1;
    }
    const auto in_block = pattern.local_block_at(coords);
    wrong += in_block.unit == location.unit ? 0 : 1;
    if (location.unit != me) continue;
    if (mine++ == 0) first = i;
    last = i + 1;
    wrong += pattern.global(location.index) == i && pattern.global(local.coords) == coords ? 0 : 1;
    wrong += pattern.local_at(local.coords) == location.index ? 0 : 1;
    // The position of the block in global and in local coordinates.
    const auto block = pattern.local_block(in_block.index);
    const auto local_block = pattern.local_block_local(in_block.index);
    wrong += block == pattern.block(pattern.block_at(coords)) ? 0 : 1;
    wrong += local_block.extents() == block.extents() ? 0 : 1;
    for (std::size_t d = 0; d < coords.size(); ++d) {
      const auto offset = coords[d] - block.offsets()[d];
      wrong += offset >= 0 && offset < static_cast<I>(block.extents()[d]) ? 0 : 1;
      wrong += local.coords[d] == local_block.offsets()[d] + offset ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  CHECK(static_cast<I>(pattern.local_size()) == mine);
  CHECK(pattern.local_size(me) == pattern.local_size());
  CHECK(pattern.local_size() <= pattern.local_capacity());
  CHECK(pattern.local_extents() == pattern.local_extents(me));
  CHECK(pattern.lbegin() == first);
  CHECK(pattern.lend() == last);
  CHECK(pattern.capacity() == pattern.size());
  CHECK(&pattern.team() == &dash::Team::All());
  CHECK_THROWS_AS(pattern.extent(P::ndim()), dash::exception::OutOfRange);
}

/// The forms of constructors, with all units in the first dimension.
template <class P>
void check_constructors(const std::string& name) {
  const dash::SizeSpec<2> sizes(24, 6);
  const dash::DistributionSpec<2> dists(BLOCKED, NONE);
  dash::Team& team = dash::Team::All();
  dash::TeamSpec<2> grid(dists, team);
  P expected(sizes, dists, grid, team);
  CHECK(P(sizes, dists, grid) == expected);
  CHECK(P(sizes, dists, team) == expected);
  CHECK(P(sizes, dists) == expected);
  CHECK(P(sizes) == expected);
  CHECK(P(24, 6) == expected);
  CHECK(P(std::size_t{24}, 6u, team) == expected);
  CHECK(P(24, 6, BLOCKED, NONE) == expected);
  CHECK(P(24, 6, dists) == expected);
  CHECK(P(24, 6, grid, team) == expected);
  CHECK(P(24, 6, team, dists, grid) == expected);
  CHECK(P(24, 6, grid, BLOCKED, NONE, team) == expected);
  CHECK(P(sizes, team) == expected);
  CHECK(P(sizes, BLOCKED, NONE, grid, team) == expected);
  check_members(expected, name);
  // All dimensions distributed: a balanced grid.
  P tiles(24, 6, TILE(2), TILE(3));
  grid.balance_extents();
  CHECK(tiles.teamspec() == grid);
  check_members(tiles, name);
  P last(24, 7, NONE, dash::CYCLIC);
  CHECK(last.teamspec().extent(1) == dash::size());
  check_members(last, name);
}

}  // namespace

TEST_CASE("Patterns of two dimensions: every constructor and member: as specified") {
  check_constructors<dash::BlockPattern<2>>("BlockPattern");
  check_constructors<dash::TilePattern<2>>("TilePattern");
  check_constructors<dash::ShiftTilePattern<2>>("ShiftTilePattern");
  check_constructors<dash::SeqTilePattern<2>>("SeqTilePattern");
}

TEST_CASE("Patterns of one dimension, and of three: every member: as specified") {
  STATIC_REQUIRE(std::is_same_v<dash::Pattern<1, dash::COL_MAJOR, int>,
                                dash::BlockPattern<1, dash::COL_MAJOR, int>>);
  for (const auto& dist : {BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(3), TILE(5)}) {
    dash::BlockPattern<1> block(30, dist);
    dash::TilePattern<1> tile(30, dist, dash::Team::All());
    dash::ShiftTilePattern<1> shift(dash::SizeSpec<1>(30), dash::DistributionSpec<1>(dist));
    check_members(block, "BlockPattern");
    check_members(tile, "TilePattern");
    check_members(shift, "ShiftTilePattern");
    CHECK(block.at(29) == block.local(29).index);
    CHECK(block.global(block.unit_at(7), {{block.local(7).index}})[0] == 7);
  }
  dash::BlockPattern<3, dash::COL_MAJOR, int> cube(4, 5, 6, NONE, NONE, BLOCKED);
  check_members(cube, "BlockPattern");
  CHECK(cube.memory_order() == dash::COL_MAJOR);
}

TEST_CASE("Patterns of ranges: every constructor and member: as specified") {
  using Csr = dash::CSRPattern<1>;
  dash::Team& team = dash::Team::All();
  std::vector<Csr::size_type> sizes;
  for (const int unit : team)
    sizes.push_back(static_cast<std::size_t>(unit * unit % 5));
  Csr csr(sizes, team);
  CHECK(Csr(sizes) == csr);
  CHECK(Csr(sizes, dash::TeamSpec<1>(team), team) == csr);
  check_members(csr, "CSRPattern");
  Csr even(dash::SizeSpec<1>(20), dash::DistributionSpec<1>(BLOCKED), team);
  CHECK(Csr(20, BLOCKED, dash::TeamSpec<1>(team), team) == even);
  check_members(even, "CSRPattern");

  using Load = dash::LoadBalancePattern<1>;
  dash::util::TeamLocality locality(team);
  Load load(dash::SizeSpec<1>(50), locality);
  CHECK(load == Load(dash::SizeSpec<1>(50), team));
  check_members(load, "LoadBalancePattern");
  CHECK(load.unit_cpu_weights().size() == team.size());
  CHECK(load.unit_membw_weights().size() == team.size());
  CHECK(load.unit_load_weights().size() == team.size());
}

TEST_CASE("Patterns: with a grid smaller than the team: the remaining units have no elements") {
  const dash::TeamSpec<2> grid(1, dash::size() > 2 ? 2 : 1);
  const dash::BlockPattern<2> block(4, 6, grid, BLOCKED, BLOCKED);
  const dash::TilePattern<2> tile(4, 6, TILE(2), TILE(3), grid);
  const auto me = dash::Team::All().myid();
  const std::size_t units = grid.size();
  const std::size_t expected = me < units ? 24 / units : 0;
  CHECK(block.num_units() == units);
  CHECK(block.local_size() == expected);
  CHECK(tile.local_size() == expected);
  CHECK(block.local_size(team_unit_t(static_cast<int>(units))) == 0);
  CHECK(block.local_extents(team_unit_t(static_cast<int>(units)))[0] == 0);
  if (expected == 0) {
    CHECK(block.lbegin() == 0);
    CHECK(block.lend() == 0);
    CHECK(tile.local_blockspec().size() == 0);
  }
  CHECK_THROWS_AS((dash::BlockPattern<2>(4, 6, dash::TeamSpec<2>(1, dash::size() + 1))),
                  dash::exception::InvalidArgument);
}

TEST_CASE("Patterns: printed: name, extents, distribution, units") {
  std::ostringstream text;
  text << dash::BlockPattern<1>(12, dash::CYCLIC);
  CHECK(text.str().rfind("dash::BlockPattern(SizeSpec<1>(12), DistributionSpec(Distribution(CYCLIC"
                         ")), TeamSpec<1>(" +
                             std::to_string(dash::size()) + "), dash::Team(",
                         0) == 0);
}
