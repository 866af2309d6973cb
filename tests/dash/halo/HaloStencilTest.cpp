// dash-test: parallel units=1,2,3,4,6,7 full-units=8 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "HaloModel.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using namespace dash::halo;
using namespace dash::test;

/// Elements of a block by their positions in memory.
using Positions = std::set<dash::default_index_t>;

/// A matrix with a halo and an operator, filled and updated.
template <dash::dim_t N, typename StencilSpecT, dash::MemArrange Arrange = dash::ROW_MAJOR>
struct Setup {
  using Matrix = HaloMatrix<N, Arrange>;

  HaloShape<N> shape;
  StencilSpecT stencil;
  Matrix matrix;
  HaloMatrixWrapper<Matrix> wrapper;
  typename HaloMatrixWrapper<Matrix>::template StencilOperator_t<StencilSpecT> op;

  Setup(const HaloShape<N>& s, const StencilSpecT& spec)
      : shape(s),
        stencil(spec),
        matrix(s.template pattern<Arrange>()),
        wrapper(matrix, s.bounds(), spec),
        op(wrapper.stencil_operator(spec)) {
    fill(matrix, 3);
    wrapper.set_custom_halos([](const HaloCoords<N>& coords) { return value_at<N>(coords, 4); });
    wrapper.update();
  }

  HaloCoords<N> global(HaloCoords<N> local) const {
    const auto& offsets = wrapper.halo_block().block_env().offsets();
    for (int d = 0; d < N; ++d)
      local[d] += offsets[d];
    return local;
  }

  value_t expected(const HaloCoords<N>& local) const {
    return expected_halo<N>(shape, global(local), 3, 4);
  }

  /// Number of elements of a range that are not visited exactly once, in order, with correct
  /// values.
  template <typename IteratorT>
  int count_wrong(IteratorT begin, IteratorT end, Positions& visited) const {
    int wrong = 0;
    const auto first = begin.rpos();
    dash::default_index_t count = 0;
    for (auto it = begin; it != end; ++it, ++count) {
      const auto coords = it.coords();
      wrong += visited.insert(it.lpos()).second ? 0 : 1;
      wrong += it.rpos() == first + count ? 0 : 1;
      wrong += it.lpos() == matrix.pattern().local_at(coords) ? 0 : 1;
      wrong += *it == expected(coords) ? 0 : 1;
      const auto jumped = begin + count;
      wrong += jumped == it && jumped.coords() == coords && jumped.lpos() == it.lpos() ? 0 : 1;
      wrong += begin[count] == *it && it - begin == count ? 0 : 1;
      for (std::size_t i = 0; i < stencil.num_stencil_points(); ++i) {
        const auto value = expected(stencil[i].stencil_coords(coords));
        wrong += it.value_at(i) == value ? 0 : 1;
        wrong += it.value_at(stencil[i]) == value ? 0 : 1;
      }
    }
    wrong += end - begin == count ? 0 : 1;
    return wrong;
  }
};

/// Whether a range visits the boxes of regions one after the other, each in memory order.
/// \param region_of  returns the region of the element at given coordinates
template <dash::MemArrange Arrange, typename IteratorT, typename RegionOf>
bool is_in_order(IteratorT begin, IteratorT end, const RegionOf& region_of) {
  const auto key = [&](const IteratorT& it) {
    auto coords = it.coords();
    const auto region = region_of(coords);
    if (Arrange == dash::COL_MAJOR) std::reverse(coords.begin(), coords.end());
    return std::pair(region, coords);
  };
  for (auto it = begin; it != end && it + 1 != end; ++it) {
    if (!(key(it) < key(it + 1))) return false;
  }
  return true;
}

/// The position of elements relative to a stencil: at the low side, inside or at the high side, for
/// each dimension.
template <dash::dim_t N, typename StencilSpecT>
region_index_t region_by_reach(const StencilSpecT& stencil,
                               const std::array<dash::default_size_t, N>& extents,
                               const HaloCoords<N>& coords) {
  region_index_t region = 0;
  for (int d = 0; d < N; ++d) {
    const auto [low, high] = stencil.minmax_distances(d);
    const auto extent = static_cast<dash::default_index_t>(extents[d]);
    region = 3 * region + (coords[d] < -low ? 0 : coords[d] < extent - high ? 1 : 2);
  }
  return region;
}

/// A single check function, because the expanded macro is large and the templates below have many
/// instances.
[[gnu::noinline]] void expect(bool holds, const char* what) {
  INFO(what);
  CHECK(holds);
}

template <dash::MemArrange Arrange = dash::ROW_MAJOR, dash::dim_t N, typename StencilSpecT>
void check_iteration(const HaloShape<N>& shape, const StencilSpecT& stencil) {
  INFO(describe(shape, stencil));
  Setup<N, StencilSpecT, Arrange> setup(shape, stencil);
  auto& op = setup.op;

  Positions inner;
  Positions boundary;
  Positions sides;
  Positions regions;
  Positions all;
  expect(setup.count_wrong(op.inner.begin(), op.inner.end(), inner) == 0,
         "setup.count_wrong(op.inner.begin(), op.inner.end(), inner) == 0");
  expect(setup.count_wrong(op.boundary.begin(), op.boundary.end(), boundary) == 0,
         "setup.count_wrong(op.boundary.begin(), op.boundary.end(), boundary) == 0");
  expect(setup.count_wrong(op.begin(), op.end(), all) == 0,
         "setup.count_wrong(op.begin(), op.end(), all) == 0");
  const auto by_reach = [&](const HaloCoords<N>& coords) {
    return region_by_reach<N>(stencil, setup.matrix.pattern().local_extents(), coords);
  };
  const auto one_box = [](const HaloCoords<N>& /*coords*/) { return region_index_t{0}; };
  expect(is_in_order<Arrange>(op.inner.begin(), op.inner.end(), one_box), "order of op.inner");
  expect(is_in_order<Arrange>(op.boundary.begin(), op.boundary.end(), by_reach),
         "order of op.boundary");
  expect(is_in_order<Arrange>(op.begin(), op.end(), one_box), "order of op");
  for (int d = 0; d < N; ++d) {
    for (const auto pos : {RegionPos::PRE, RegionPos::POST}) {
      const auto [begin, end] = op.boundary.iterator_at(d, pos);
      expect(setup.count_wrong(begin, end, sides) == 0,
             "setup.count_wrong(begin, end, sides) == 0");
      expect(is_in_order<Arrange>(begin, end, one_box), "order of a side");
    }
  }
  auto next = op.boundary.begin();
  for (region_index_t region = 0; region < NumRegionsMax<N>; ++region) {
    const auto [begin, end] = op.boundary.iterator_at(region);
    expect(begin == next, "begin == next");
    next = end;
    expect(setup.count_wrong(begin, end, regions) == 0,
           "setup.count_wrong(begin, end, regions) == 0");
    for (auto it = begin; it != end; ++it) {
      if (by_reach(it.coords()) != region) expect(false, "the region's elements");
    }
  }
  expect(next == op.boundary.end(), "next == op.boundary.end()");
  expect(sides == boundary, "sides == boundary");
  expect(regions == boundary, "regions == boundary");
  expect(op.boundary.boundary_size() == boundary.size(),
         "op.boundary.boundary_size() == boundary.size()");
  expect(op.inner.view().size() == inner.size(), "op.inner.view().size() == inner.size()");
  expect(op.view().size() == all.size(), "op.view().size() == all.size()");

  // The model determines the expected elements.
  Positions expected_inner;
  Positions expected_all;
  const auto& env = setup.wrapper.halo_block().block_env();
  for_each_coords<N>(setup.matrix.pattern().local_extents(), [&](const HaloCoords<N>& local) {
    bool inside = true;
    bool valid = true;
    for (const auto& point : stencil.specs()) {
      const auto target = point.stencil_coords(local);
      inside = inside && env.region_at(target) == RegionCoords<N>::center_index();
      valid = valid && in_domain<N>(shape, setup.global(target));
    }
    const auto position = setup.matrix.pattern().local_at(local);
    if (inside) expected_inner.insert(position);
    if (valid) expected_all.insert(position);
  });
  expect(inner == expected_inner, "inner == expected_inner");
  expect(all == expected_all, "all == expected_all");
  for (const auto& coords : inner)
    boundary.insert(coords);
  expect(boundary == expected_all, "boundary == expected_all");
  for (auto it = op.begin(); it != op.end(); ++it) {
    for (std::size_t i = 0; i < stencil.num_stencil_points(); ++i) {
      const auto region = env.region_at(stencil[i].stencil_coords(it.coords()));
      if (it.is_halo_value(i) == (region == RegionCoords<N>::center_index())) {
        expect(false, "is_halo_value");
      }
    }
  }
}

// Few types of stencils, to limit compile time.
using Star = StencilSpec<HaloPoint<2>, 4>;

/// A stencil that needs all regions around a block.
Star all_around(int width) {
  return Star(HaloPoint<2>(-width, -width), HaloPoint<2>(-width, width),
              HaloPoint<2>(width, -width), HaloPoint<2>(width, width));
}

TEST_CASE("iterators visit each element once, in order, and read its stencil") {
  Random random(dash::test::seed());
  const Star star(HaloPoint<2>(-1, 0), HaloPoint<2>(1, 0), HaloPoint<2>(0, -1), HaloPoint<2>(0, 1));
  using Line = StencilSpec<HaloPoint<1>, 2>;
  using Solid = StencilSpec<HaloPoint<3>, 4>;
  for (int round = 0; round < 3; ++round) {
    check_iteration(random_shape<1>(random, 2), Line(HaloPoint<1>(-2), HaloPoint<1>(1)));
    check_iteration(random_shape<2>(random, 1), star);
    check_iteration(random_shape<2>(random, 2), all_around(2));
    check_iteration(random_shape<3>(random, 1),
                    Solid(HaloPoint<3>(-1, -1, -1), HaloPoint<3>(1, 1, 1), HaloPoint<3>(1, -1, 0),
                          HaloPoint<3>(0, 0, -1)));
  }
  for (int round = 0; round < 12; ++round) {
    const auto shape = random_shape<2>(random, 3);
    const auto point = [&] { return HaloPoint<2>(random.between(-3, 3), random.between(-3, 3)); };
    check_iteration(shape, Star(point(), point(), point(), point()));
  }
}

TEST_CASE("iterators visit each element of column-major blocks, and of four dimensions") {
  Random random(dash::test::seed() + 1);
  using Solid = StencilSpec<HaloPoint<3>, 4>;
  using Hyper = StencilSpec<HaloPoint<4>, 2>;
  for (int round = 0; round < 3; ++round) {
    check_iteration<dash::COL_MAJOR>(random_shape<2>(random, 2), all_around(2));
    check_iteration<dash::COL_MAJOR>(random_shape<3>(random, 2),
                                     Solid(HaloPoint<3>(-1, -1, -1), HaloPoint<3>(2, 0, 0),
                                           HaloPoint<3>(0, -2, 1), HaloPoint<3>(0, 0, -1)));
    check_iteration(random_shape<4>(random, 1),
                    Hyper(HaloPoint<4>(-1, 0, 1, 0), HaloPoint<4>(0, 1, 0, -1)));
  }
}

TEST_CASE("inner.update, its parts and coordinate access work on column-major blocks") {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {7 * dash::size(), 9};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CUSTOM};
  const Star stencil(HaloPoint<2>(0, -1), HaloPoint<2>(-1, 0), HaloPoint<2>(0, 1),
                     HaloPoint<2>(1, 0));
  Setup<2, Star, dash::COL_MAJOR> setup(shape, stencil);
  HaloMatrix<2, dash::COL_MAJOR> dst(setup.matrix.pattern());
  const auto fn = [](value_t* center, value_t* target, dash::default_index_t /*offset*/,
                     const auto& offsets) {
    *target = *center + 2 * center[offsets[0]] + 3 * center[offsets[1]];
  };
  const auto expected = [&](const HaloCoords<2>& coords) {
    return setup.expected(coords) + 2 * setup.expected({coords[0], coords[1] - 1}) +
           3 * setup.expected({coords[0] - 1, coords[1]});
  };
  const auto& inner = setup.op.inner;
  int wrong = 0;
  inner.update(dst.lbegin(), fn);
  for (auto it = inner.begin(); it != inner.end(); ++it)
    wrong += dst.lbegin()[it.lpos()] == expected(it.coords()) ? 0 : 1;
  CHECK(wrong == 0);
  std::fill(dst.lbegin(), dst.lend(), value_t{0});
  inner.update_blocked({2, 3}, {4, 5}, dst.lbegin(), fn);
  for (auto it = inner.begin(); it != inner.end(); ++it) {
    const auto [i, j] = it.coords();
    const bool part = i >= 2 && i <= 4 && j >= 3 && j <= 5;
    wrong += dst.lbegin()[it.lpos()] == (part ? expected(it.coords()) : 0) ? 0 : 1;
  }
  CHECK(wrong == 0);
  auto access = setup.wrapper.coordinate_access();
  for (int i = -1; i <= 7; ++i) {
    for (int j = -1; j <= 9; ++j) {
      const bool is_corner = (i < 0 || i == 7) && (j < 0 || j == 9);
      if (!is_corner) wrong += access[i][j] == setup.expected({i, j}) ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("iterators go backwards and compare") {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {4 * dash::size(), 5};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  const auto stencil = all_around(1);
  Setup<2, Star> setup(shape, stencil);
  std::vector<HaloCoords<2>> forward;
  for (auto it = setup.op.boundary.begin(); it != setup.op.boundary.end(); it++) {
    forward.push_back(it.coords());
  }
  REQUIRE(forward.size() == 2 * 5 + 2 * 2);
  auto it = setup.op.boundary.end();
  for (std::size_t i = forward.size(); i-- > 0;) {
    --it;
    REQUIRE(it.coords() == forward[i]);
    REQUIRE(it < setup.op.boundary.end());
  }
  CHECK(it == setup.op.boundary.begin());
  CHECK(setup.op.boundary.begin() + 3 >= it + 2);
}

TEST_CASE("inner.update works on parts, and in location") {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {7 * dash::size(), 9};
  const Star stencil(HaloPoint<2>(0, -1), HaloPoint<2>(-1, 0), HaloPoint<2>(0, 1),
                     HaloPoint<2>(1, 0));
  Setup<2, Star> setup(shape, stencil);
  HaloMatrix<2> dst(shape.pattern());
  const auto fn = [](value_t* center, value_t* target, dash::default_index_t /*offset*/,
                     const auto& offsets) {
    *target = *center + 2 * center[offsets[0]] + 3 * center[offsets[1]];
  };
  const auto expected = [&](const HaloCoords<2>& coords) {
    return setup.expected(coords) + 2 * setup.expected({coords[0], coords[1] - 1}) +
           3 * setup.expected({coords[0] - 1, coords[1]});
  };
  const auto& inner = setup.op.inner;
  const auto begin = inner.begin();
  inner.update(begin + 3, begin + 21, dst.lbegin(), fn);
  int wrong = 0;
  for (auto it = begin; it != inner.end(); ++it) {
    const bool part = it - begin >= 3 && it - begin < 21;
    wrong += dst.lbegin()[it.lpos()] == (part ? expected(it.coords()) : 0) ? 0 : 1;
  }
  CHECK(wrong == 0);

  std::fill(dst.lbegin(), dst.lend(), value_t{0});
  inner.update_blocked({2, 3}, {4, 5}, dst.lbegin(), fn);
  for (auto it = begin; it != inner.end(); ++it) {
    const auto [i, j] = it.coords();
    const bool part = i >= 2 && i <= 4 && j >= 3 && j <= 5;
    wrong += dst.lbegin()[it.lpos()] == (part ? expected(it.coords()) : 0) ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK_THROWS_AS(inner.update_blocked({0, 0}, {4, 5}, dst.lbegin(), fn),
                  dash::exception::OutOfRange);

  // In location, an element reads modified predecessors: a recurrence along the rows.
  std::fill(setup.matrix.lbegin(), setup.matrix.lend(), value_t{1});
  inner.update(setup.matrix.lbegin(), [](value_t* center, value_t* target, auto, const auto& o) {
    *target = 2 * center[o[0]];
  });
  for (auto it = begin; it != inner.end(); ++it) {
    wrong += *it == value_t{1} << it.coords()[1] ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("get_value_at and set_values_at weight the stencil points") {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {4 * dash::size(), 4};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  using Point = StencilPoint<2, value_t>;
  const StencilSpec<Point, 2> stencil(Point(value_t{5}, -1, 0), Point(value_t{7}, 0, 1));
  HaloMatrix<2> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<2>> wrapper(matrix, shape.bounds(), stencil);
  auto op = wrapper.stencil_operator(stencil);
  fill(matrix, 0);
  wrapper.update();
  const auto& offsets = wrapper.halo_block().block_env().offsets();
  const auto at = [&](dash::default_index_t i, dash::default_index_t j) {
    return expected_halo<2>(shape, {i + offsets[0], j + offsets[1]}, 0, 0);
  };
  CHECK(op.inner.get_value_at({2, 1}, 3) == 3 * at(2, 1) + 5 * at(1, 1) + 7 * at(2, 2));
  CHECK(op.boundary.get_value_at({0, 3}, 3) == 3 * at(0, 3) + 5 * at(-1, 3) + 7 * at(0, 4));

  op.inner.set_values_at({2, 1}, 10, 3);
  CHECK(matrix.lbegin()[2 * 4 + 1] == 30);
  CHECK(matrix.lbegin()[1 * 4 + 1] == 50);
  CHECK(matrix.lbegin()[2 * 4 + 2] == 70);
  op.inner.set_values_at({2, 1}, 1, 3, std::plus<>());
  CHECK(matrix.lbegin()[2 * 4 + 1] == 33);
  const auto before = *wrapper.halo_element_at_local({3, 4});
  op.boundary.set_values_at({3, 3}, 10, 2);
  CHECK(matrix.lbegin()[3 * 4 + 3] == 20);
  CHECK(matrix.lbegin()[2 * 4 + 3] == 50);
  CHECK(*wrapper.halo_element_at_local({3, 4}) == before);
}

TEST_CASE("coordinate access reaches block and halo") {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {3 * dash::size(), 4};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CUSTOM};
  const auto stencil = all_around(1);
  Setup<2, Star> setup(shape, stencil);
  auto access = setup.wrapper.coordinate_access();
  int wrong = 0;
  for (int i = -1; i <= 3; ++i) {
    for (int j = -1; j <= 4; ++j) {
      wrong += access[i][j] == setup.expected({i, j}) ? 0 : 1;
      wrong += access.boundary[i][j] == setup.expected({i, j}) ? 0 : 1;
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j)
      wrong += access.inner[i][j] == setup.expected({i, j}) ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK_THROWS_AS(access[-2][0], dash::exception::OutOfRange);
  access[1][1] = 42;
  CHECK(setup.matrix.lbegin()[1 * 4 + 1] == 42);

  CHECK(access.ranges_local()[0] == dash::ViewRange<>{0, 3});
  CHECK(access.ranges_halo()[1] == dash::ViewRange<>{-1, 5});
  CHECK(access.inner.ranges()[0] == dash::ViewRange<>{1, 2});
  CHECK(access.ranges()[1] == dash::ViewRange<>{0, 4});
  CHECK(access.range_dim(1) == access.ranges()[1]);
  CHECK(access.boundary.ranges().size() == 8);

  auto copy = access;
  CHECK(copy.inner[0][0] == access[0][0]);
}

TEST_CASE("blocks provide the regions that their boundary needs") {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {4 * dash::size(), 4};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  const auto stencil = all_around(1);
  Setup<2, Star> setup(shape, stencil);
  const auto& block = setup.wrapper.halo_block();
  using Regions = std::vector<region_index_t>;
  CHECK(block.boundary_dependencies(0) == Regions{0, 1, 3});
  CHECK(block.boundary_dependencies(1) == Regions{1});
  CHECK(block.boundary_dependencies(8) == Regions{5, 7, 8});
  CHECK(block.boundary_dependencies(4).empty());
  shape.props = {BoundaryProp::NONE, BoundaryProp::NONE};
  Setup<2, Star> bordered(shape, stencil);
  // Also regions beyond the border.
  CHECK(bordered.wrapper.halo_block().boundary_dependencies(0) == Regions{0, 1, 3});
  CHECK(block.boundary_views().size() == 8);
  CHECK(block.boundary_size() == 12);
  CHECK(block.halo_size() == 20);
  CHECK(block.view_inner().size() == 4);
  CHECK(block.view_inner_with_boundaries().size() == 16);
  CHECK(block.view_local().size() == 16);
  CHECK(block.index_at(block.view_local(), {2, 3}) == 11);
  CHECK(block.neighbor(3) == dash::myid().id);
  CHECK(block.neighbor(7) == static_cast<int>((dash::myid().id + 1) % dash::size()));
  CHECK(block.boundary_region(1)->view().extent(0) == 1);
  CHECK(block.view().offset(0) == 4 * dash::myid().id);
}

}  // namespace
