// dash-test: serial

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "dash/halo/BlockEnvironment.h"
#include "dash/halo/StencilSpace.h"
#include "dash/halo/StencilSpec.h"
#include "dash/halo/exchange/HaloLayout.h"
#include "dash/halo/stencil/BlockSplit.h"
#include "dash/halo/stencil/Box.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using namespace dash::halo;
using dash::halo::internal::Box;
using dash::halo::internal::coord_t;
using dash::halo::internal::Coords;
using dash::halo::internal::for_each_row;
using dash::halo::internal::HaloLayout;
using dash::halo::internal::Interval;

template <dash::dim_t N>
std::vector<Coords<N>> elements_of(const Box<N>& box) {
  std::vector<Coords<N>> elements;
  for_each_row<dash::ROW_MAJOR>(box, [&](const Coords<N>& coords, coord_t length) {
    auto element = coords;
    for (coord_t i = 0; i < length; ++i, ++element[N - 1])
      elements.push_back(element);
  });
  return elements;
}

template <dash::dim_t N>
BlockGrid<N> make_grid(const Coords<N>& extents, const Coords<N>& blocksizes) {
  BlockGrid<N> grid;
  grid.extents = extents;
  grid.matrix = extents;
  grid.blocksizes = blocksizes;
  for (int d = 0; d < N; ++d)
    grid.blocks[d] = (extents[d] + blocksizes[d] - 1) / blocksizes[d];
  return grid;
}

TEST_CASE("A box is traversed row by row in memory order") {
  const Box<2> box{{Interval{1, 3}, Interval{-1, 2}}};
  CHECK(box.size() == 6);
  CHECK(elements_of<2>(box) ==
        std::vector<Coords<2>>{{1, -1}, {1, 0}, {1, 1}, {2, -1}, {2, 0}, {2, 1}});
  std::vector<Coords<2>> columns;
  for_each_row<dash::COL_MAJOR>(box, [&](const Coords<2>& coords, coord_t length) {
    CHECK(length == 2);
    columns.push_back(coords);
  });
  CHECK(columns == std::vector<Coords<2>>{{1, -1}, {1, 0}, {1, 1}});
  const auto all = elements_of<2>(box);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(box.coords_at<dash::ROW_MAJOR>(static_cast<coord_t>(i)) == all[i]);
  }
  CHECK(elements_of<2>(Box<2>{{Interval{1, 1}, Interval{0, 5}}}).empty());
}

TEST_CASE("The split of a block: inner, boundary boxes and sides match the definition") {
  std::mt19937 random(dash::test::seed());
  for (int round = 0; round < 500; ++round) {
    CAPTURE(dash::test::seed(), round);
    Coords<2> extents{};
    internal::BlockSplit<2>::Reach reach;
    internal::BlockSplit<2>::Closed closed;
    for (int d = 0; d < 2; ++d) {
      extents[d] = std::uniform_int_distribution<coord_t>(1, 8)(random);
      std::uniform_int_distribution<coord_t> width(0, std::min<coord_t>(extents[d], 3));
      reach[d] = {width(random), width(random)};
      closed[d] = {random() % 2 == 0, random() % 2 == 0};
    }
    const internal::BlockSplit<2> split(extents, reach, closed);

    // The definition, applied to each element.
    std::set<Coords<2>> inner;
    std::set<Coords<2>> boundary;
    for (coord_t i = 0; i < extents[0]; ++i) {
      for (coord_t j = 0; j < extents[1]; ++j) {
        const Coords<2> coords{i, j};
        bool reaches_halo = false;
        bool leaves_domain = false;
        for (int d = 0; d < 2; ++d) {
          const bool low = coords[d] < reach[d].first;
          const bool high = coords[d] + reach[d].second >= extents[d];
          reaches_halo = reaches_halo || low || high;
          leaves_domain = leaves_domain || (low && closed[d].first) || (high && closed[d].second);
        }
        if (!reaches_halo) inner.insert(coords);
        if (reaches_halo && !leaves_domain) boundary.insert(coords);
      }
    }
    const auto as_set = [](const std::vector<Coords<2>>& list) {
      std::set<Coords<2>> set(list.begin(), list.end());
      REQUIRE(set.size() == list.size());
      return set;
    };
    CHECK(as_set(elements_of<2>(split.inner())) == inner);

    std::vector<Coords<2>> boxes;
    for (region_index_t region = 0; region < 9; ++region) {
      for (const auto& coords : elements_of<2>(split.boundary(region)))
        boxes.push_back(coords);
    }
    CHECK(as_set(boxes) == boundary);

    std::vector<Coords<2>> sides;
    for (int d = 0; d < 2; ++d) {
      for (const auto pos : {RegionPos::PRE, RegionPos::POST}) {
        for (const auto& coords : elements_of<2>(split.side(d, pos)))
          sides.push_back(coords);
      }
    }
    CHECK(as_set(sides) == boundary);

    auto valid = inner;
    valid.insert(boundary.begin(), boundary.end());
    CHECK(as_set(elements_of<2>(split.valid())) == valid);
  }
}

TEST_CASE("The boxes of a plain block are those of the region coordinates") {
  const internal::BlockSplit<2> split({6, 5}, {{{1, 2}, {2, 1}}}, {});
  CHECK(split.inner() == Box<2>{{Interval{1, 4}, Interval{2, 4}}});
  CHECK(split.boundary(0) == Box<2>{{Interval{0, 1}, Interval{0, 2}}});
  CHECK(split.boundary(1) == Box<2>{{Interval{0, 1}, Interval{2, 4}}});
  CHECK(split.boundary(5) == Box<2>{{Interval{1, 4}, Interval{4, 5}}});
  CHECK(split.boundary(8) == Box<2>{{Interval{4, 6}, Interval{4, 5}}});
  CHECK(split.boundary(4).empty());
  CHECK(split.side(0, RegionPos::POST) == Box<2>{{Interval{4, 6}, Interval{0, 5}}});
  CHECK(split.side(1, RegionPos::PRE) == Box<2>{{Interval{1, 4}, Interval{0, 2}}});
}

TEST_CASE("A block environment finds its regions, their properties and their neighbours") {
  const auto grid = make_grid<2>({10, 7}, {4, 4});  // blocks of 4, 4, 2 and 4, 3
  const HaloSpec<2> halo(StencilSpecFactory<StencilPoint<2>>::full_stencil_spec(2));
  using Env = BlockEnvironment<2>;

  SECTION("in the corner, nothing beyond the border") {
    const Env env(grid, {2, 1}, halo, {});
    CHECK(env.extents() == Coords<2>{2, 3});
    CHECK(env.offsets() == Coords<2>{8, 4});
    for (region_index_t region = 0; region < 9; ++region) {
      const bool has_neighbour = region == 0 || region == 1 || region == 3;
      CHECK(env.source(region) == (has_neighbour ? Env::Source::neighbor : Env::Source::nothing));
    }
    CHECK(env.neighbor(0) == Coords<2>{1, 0});
    CHECK(env.halo_box(1) == Box<2>{{Interval{-2, 0}, Interval{0, 3}}});
    CHECK(env.region_offset(0) == 0);
    CHECK(env.region_offset(1) == 4);
    CHECK(env.region_offset(3) == 10);
    CHECK(env.halo_size() == 14);
  }
  SECTION("CYCLIC in one dimension, CUSTOM in the other: the corner is CUSTOM") {
    const Env env(grid, {0, 0}, halo, {BoundaryProp::CYCLIC, BoundaryProp::CUSTOM});
    CHECK(env.border_prop(1) == BoundaryProp::CYCLIC);
    CHECK(env.source(1) == Env::Source::neighbor);
    CHECK(env.neighbor(1) == Coords<2>{2, 0});
    CHECK(env.source(3) == Env::Source::custom);
    CHECK(env.source(0) == Env::Source::custom);
    CHECK(env.source(2) == Env::Source::neighbor);
    CHECK(env.neighbor(2) == Coords<2>{2, 1});
    CHECK(env.source(6) == Env::Source::custom);
    CHECK(env.source(8) == Env::Source::neighbor);
    CHECK(env.is_border_region(2));
    CHECK(!env.is_border_region(8));
  }
  SECTION("NONE takes precedence") {
    const Env env(grid, {0, 0}, halo, {BoundaryProp::NONE, BoundaryProp::CUSTOM});
    CHECK(env.source(0) == Env::Source::nothing);
    CHECK(env.source(1) == Env::Source::nothing);
    CHECK(env.source(3) == Env::Source::custom);
  }
}

/// Checks for each halo element of each block that the neighbour sends exactly that element to that
/// position.
template <dash::dim_t N>
void check_sends(const BlockGrid<N>& grid, const HaloSpec<N>& halo,
                 const GlobalBoundarySpec<N>& bounds) {
  using Env = BlockEnvironment<N>;
  Box<N> blocks;
  for (int d = 0; d < N; ++d)
    blocks[d] = {0, grid.blocks[d]};
  for (const auto& block : elements_of<N>(blocks)) {
    const Env env(grid, block, halo, bounds);
    coord_t received = 0;
    for (region_index_t region = 0; region < Env::NumRegions; ++region) {
      if (env.source(region) != Env::Source::neighbor) continue;
      const Env sender(grid, env.neighbor(region), halo, bounds);
      const auto opposite = RegionCoords<N>::opposite_index(region);
      REQUIRE(sender.neighbor(opposite) == block);
      const auto sent = elements_of<N>(sender.send_box(opposite));
      const auto kept = elements_of<N>(env.halo_box(region));
      REQUIRE(sent.size() == kept.size());
      for (std::size_t i = 0; i < sent.size(); ++i) {
        for (int d = 0; d < N; ++d) {
          const auto from = sent[i][d] + sender.offsets()[d];
          const auto to = kept[i][d] + env.offsets()[d];
          REQUIRE(from == (to + grid.extents[d]) % grid.extents[d]);
          REQUIRE((sent[i][d] >= 0 && sent[i][d] < sender.extents()[d]));
        }
      }
      received += static_cast<coord_t>(kept.size());
    }
    REQUIRE(received <= env.halo_size());
  }
}

TEST_CASE("A block sends the elements that the neighbour stores") {
  std::mt19937 random(dash::test::seed());
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 100; ++round) {
    CAPTURE(dash::test::seed(), round);
    Coords<3> extents{};
    Coords<3> blocksizes{};
    std::array<BoundaryProp, 3> props{};
    for (int d = 0; d < 3; ++d) {
      const int blocks = 1 + below(3);
      blocksizes[d] = 3 + below(3);
      // The last block has at least 3 elements.
      extents[d] = blocksizes[d] * blocks - below(static_cast<int>(blocksizes[d]) - 2);
      props[d] = static_cast<BoundaryProp>(below(3));
    }
    const auto point = [&] { return StencilPoint<3>(below(7) - 3, below(7) - 3, below(7) - 3); };
    const StencilSpec<StencilPoint<3>, 3> spec(point(), point(), point());
    check_sends<3>(make_grid<3>(extents, blocksizes), HaloSpec<3>(spec),
                   {props[0], props[1], props[2]});
  }
}

TEST_CASE("A stencil space contains the locations of the stencil points of all elements") {
  std::mt19937 random(dash::test::seed());
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 200; ++round) {
    CAPTURE(dash::test::seed(), round);
    const auto point = [&] { return StencilPoint<2>(below(5) - 2, below(5) - 2); };
    const StencilSpec<StencilPoint<2>, 3> spec(point(), point(), point());
    const auto grid = make_grid<2>({3 * (2 + below(4)), 3 * (2 + below(4))}, {2 + below(4), 6});
    if (grid.extents[0] % grid.blocksizes[0] == 1 || grid.extents[1] % 6 == 1) continue;
    const BlockEnvironment<2> env(grid, {grid.blocks[0] - 1, 0}, HaloSpec<2>(spec),
                                  {BoundaryProp::CYCLIC, BoundaryProp::CUSTOM});
    const HaloLayout<2, dash::ROW_MAJOR> layout(env);
    const auto split = env.split();
    std::vector<Box<2>> boxes;
    for (region_index_t region = 0; region < 9; ++region)
      boxes.push_back(split.boundary(region));
    const internal::StencilSpace<2, dash::ROW_MAJOR, 3> space(boxes, spec, env, layout);

    coord_t position = 0;
    for (std::size_t b = 0; b < space.num_boxes(); ++b) {
      REQUIRE(space.begin_of(b) == position);
      for (const auto& center : elements_of<2>(space.box(b))) {
        REQUIRE(space.box_at(position++) == b);
        for (std::size_t i = 0; i < 3; ++i) {
          const auto& path = space.paths(b)[i];
          const auto target = spec[i].stencil_coords(center);
          const auto region = env.region_at(target);
          if (path.kind == internal::PathKind::local) REQUIRE(region == 4);
          if (path.kind != internal::PathKind::halo) continue;
          REQUIRE(region == path.region);
          // Position in the region, determined by counting.
          const auto kept = elements_of<2>(env.halo_box(region));
          const auto found = std::find(kept.begin(), kept.end(), target);
          REQUIRE(found != kept.end());
          REQUIRE(path.map(center) == env.region_offset(region) + (found - kept.begin()));
        }
      }
    }
    REQUIRE(space.size() == position);
  }
}

TEST_CASE("A stencil of width 1 has no mixed paths") {
  const auto spec = StencilSpecFactory<StencilPoint<2>>::full_stencil_spec(1);
  const BlockEnvironment<2> env(make_grid<2>({12, 12}, {4, 4}), {1, 1}, HaloSpec<2>(spec), {});
  const HaloLayout<2, dash::ROW_MAJOR> layout(env);
  std::vector<Box<2>> boxes;
  for (region_index_t region = 0; region < 9; ++region) {
    boxes.push_back(env.split().boundary(region));
  }
  const internal::StencilSpace<2, dash::ROW_MAJOR, 8> space(boxes, spec, env, layout);
  for (std::size_t b = 0; b < space.num_boxes(); ++b) {
    if (space.box(b).empty()) continue;
    for (std::size_t i = 0; i < 8; ++i) {
      // Along the border, the diagonal points of the first and the last element are local, because
      // the box excludes the corners.
      CHECK(space.paths(b)[i].kind != internal::PathKind::mixed);
    }
  }
}

}  // namespace
