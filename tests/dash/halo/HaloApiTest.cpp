// dash-test: parallel units=1,2,3 full-units=4,7,8 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll

// Use of halos as in DASH 0.4 programs, and matrices of all kinds.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "HaloModel.h"
#include "dash/halo/stencil/StencilFor.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using namespace dash::halo;
using namespace dash::test;
using Catch::Matchers::ContainsSubstring;

/// Counts the halo elements around the block that differ from value_at(coordinates, step), are
/// missing, or exist where there should be none.
/// \param shape  shape of the matrix, or of the view for which the wrapper was created
template <dash::dim_t N, typename WrapperT>
int count_wrong(WrapperT& halo, const HaloShape<N>& shape, int width, int step) {
  const auto& env = halo.halo_block().block_env();
  std::array<dash::default_size_t, N> extents{};
  for (int d = 0; d < N; ++d)
    extents[d] = static_cast<dash::default_size_t>(env.extents()[d] + 2 * width);
  int wrong = 0;
  for_each_coords<N>(extents, [&](HaloCoords<N> local) {
    HaloCoords<N> global{};
    for (int d = 0; d < N; ++d) {
      local[d] -= width;
      global[d] = local[d] + env.offsets()[d];
    }
    const auto* element = halo.halo_element_at_local(local);
    const bool in_block = env.region_at(local) == RegionCoords<N>::center_index();
    if (in_block || !in_domain<N>(shape, global)) {
      wrong += element == nullptr ? 0 : 1;
    } else {
      wrong +=
          element != nullptr && *element == expected_halo<N>(shape, global, step, step) ? 0 : 1;
    }
  });
  return wrong;
}

template <dash::dim_t N, typename MatrixT>
void check_matrix(MatrixT& matrix, const HaloShape<N>& shape, int width) {
  HaloMatrixWrapper<MatrixT> halo(matrix, shape.bounds(), width);
  for (int step = 0; step < 3; ++step) {
    fill(matrix, step);
    halo.set_custom_halos([=](const HaloCoords<N>& c) { return value_at<N>(c, step); });
    halo.update();
    REQUIRE(count_wrong<N>(halo, shape, width, step) == 0);
  }
}

TEST_CASE("the usage flow of DASH runs") {
  using PatternT = dash::Pattern<2>;
  using MatrixT = dash::Matrix<double, 2, PatternT::index_type, PatternT>;
  using PointT = StencilPoint<2>;
  dash::DistributionSpec<2> dist(dash::BLOCKED, dash::BLOCKED);
  dash::TeamSpec<2> ts(dash::Team::All());
  ts.balance_extents();
  PatternT pat(dash::SizeSpec<2>(4 * ts.extent(0), 5 * ts.extent(1)), dist, ts, dash::Team::All());
  MatrixT a(pat), b(pat);
  StencilSpec<PointT, 4> spec(
      {PointT(0.5, -1, 0), PointT(0.5, 1, 0), PointT(0.5, 0, -1), PointT(0.5, 0, 1)});
  GlobalBoundarySpec<2> bound(BoundaryProp::CYCLIC, BoundaryProp::CYCLIC);
  HaloMatrixWrapper<MatrixT> ha(a, bound, spec), hb(b, bound, spec);
  auto opa = ha.stencil_operator(spec), opb = hb.stencil_operator(spec);
  auto *cur = &ha, *nxt = &hb;
  auto *cur_op = &opa, *nxt_op = &opb;
  for (auto* element = a.lbegin(); element != a.lend(); ++element)
    *element = 1;
  a.barrier();
  for (int step = 0; step < 4; ++step) {
    cur->update_async();
    cur_op->inner.update(nxt->matrix().lbegin(),
                         [](double* center, double* dst, auto /*offset*/, const auto& offsets) {
                           *dst = *center;
                           for (const auto offset : offsets)
                             *dst += 0.25 * center[offset];
                         });
    cur->wait();
    for (auto it = cur_op->boundary.begin(); it != cur_op->boundary.end(); ++it) {
      nxt->matrix().lbegin()[it.lpos()] =
          *it + 0.25 * (it.value_at(0) + it.value_at(1) + it.value_at(2) + it.value_at(3));
    }
    std::swap(cur, nxt);
    std::swap(cur_op, nxt_op);
    cur->matrix().barrier();
  }
  int wrong = 0;
  for (auto* element = cur->matrix().lbegin(); element != cur->matrix().lend(); ++element)
    wrong += *element == 16.0 ? 0 : 1;
  CHECK(wrong == 0);
}

TEST_CASE("a wrapper can be constructed in each of the ways of DASH") {
  using MatrixT = HaloMatrix<2>;
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {3 * dash::size(), 4};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  MatrixT matrix(shape.pattern());
  using Point = HaloPoint<2>;
  constexpr StencilSpec<Point, 1> north(Point(-1, 0));
  constexpr StencilSpec<Point, 2> others(Point(0, -2), Point(1, 1));
  constexpr GlobalBoundarySpec<2> bounds(BoundaryProp::CYCLIC, BoundaryProp::CYCLIC);
  HaloMatrixWrapper<MatrixT> first(matrix, bounds, north, others);
  CHECK(first.halo_block().halo_spec().num_regions() == 5);
  HaloMatrixWrapper<MatrixT> second(matrix, north);
  CHECK(second.halo_block().halo_spec().num_regions() == 1);
  HaloMatrixWrapper<MatrixT> third(matrix, north, others);
  CHECK(third.halo_block().halo_spec().extent(3) == 2);
  HaloMatrixWrapper<MatrixT> fourth(matrix, bounds, 2u);
  CHECK(fourth.halo_block().halo_size() == 7 * 8 - 3 * 4);
  HaloMatrixWrapper<MatrixT, SignalReady::ON> fifth(matrix, 1);
  CHECK(fifth.halo_block().global_boundary_spec()[0] == BoundaryProp::NONE);
  HaloMatrixWrapper deduced(matrix, bounds, north);
  fill(matrix, 1);
  const auto full = StencilSpecFactory<Point>::full_stencil_spec(1);
  fifth.update();
  CHECK(fifth.stencil_operator(full).num_stencil_points() == 8);
  fourth.update();
  CHECK(count_wrong<2>(fourth, shape, 2, 1) == 0);
  deduced.update();
  CHECK(deduced.halo_element_at_local({-1, 0}) != nullptr);
  CHECK(deduced.halo_element_at_local({0, -1}) == nullptr);
  CHECK(&deduced.matrix() == &matrix);
  CHECK(deduced.view_local().extent(1) == 4);
}

TEST_CASE("CUSTOM borders, their elements by global coordinates, and sides by dimension and side") {
  using MatrixT = dash::NArray<std::uint32_t, 2>;
  const auto rows = 3 * dash::size();
  MatrixT matrix(dash::SizeSpec<2>(rows, 5), dash::DistributionSpec<2>(dash::BLOCKED, dash::NONE));
  using Point = StencilPoint<2>;
  constexpr StencilSpec<Point, 4> spec(Point(-1, 0), Point(1, 0), Point(0, -1), Point(0, 1));
  constexpr GlobalBoundarySpec<2> bounds(BoundaryProp::CUSTOM, BoundaryProp::CUSTOM);
  HaloMatrixWrapper<MatrixT> halo(matrix, bounds, spec);
  for (auto* element = matrix.lbegin(); element != matrix.lend(); ++element)
    *element = 1;
  halo.set_custom_halos([](const auto& coords) {
    return static_cast<std::uint32_t>(100 + coords[0] + 10 * coords[1]);
  });
  halo.update();
  if (dash::myid() == 0) CHECK(*halo.halo_element_at_global({-1, 2}) == 119);
  const auto first = static_cast<long>(3 * dash::myid().id);
  CHECK(*halo.halo_element_at_global({first, 5}) == 150 + static_cast<std::uint32_t>(first));
  auto op = halo.stencil_operator(spec);
  long visited = 0;
  for (int d = 0; d < 2; ++d) {
    for (const auto pos : {RegionPos::PRE, RegionPos::POST}) {
      auto [it, end] = op.boundary.iterator_at(d, pos);
      for (; it != end; ++it, ++visited) {
        const auto coords = it.coords();
        CHECK(coords[static_cast<std::size_t>(d)] == (pos == RegionPos::PRE ? 0 : d == 0 ? 2 : 4));
      }
    }
  }
  CHECK(visited == 3 * 5 - 3);
}

TEST_CASE(
    "a second stencil on a halo of 26 neighbours combines weighted values, as multigrid does") {
  using MatrixT = dash::NArray<double, 3>;
  const auto planes = 3 * dash::size();
  dash::TeamSpec<3> units(dash::size(), 1, 1);
  MatrixT matrix(dash::SizeSpec<3>(planes, 3, 3),
                 dash::DistributionSpec<3>(dash::BLOCKED, dash::NONE, dash::NONE),
                 dash::Team::All(), units);
  using Point = StencilPoint<3>;
  constexpr auto all = StencilSpecFactory<Point>::full_stencil_spec(1);
  constexpr StencilSpec<Point, 6> star(Point(-1, 0, 0), Point(1, 0, 0), Point(0, -1, 0),
                                       Point(0, 1, 0), Point(0, 0, -1), Point(2.0, 0, 0, 1));
  constexpr GlobalBoundarySpec<3> bounds(BoundaryProp::CUSTOM, BoundaryProp::CUSTOM,
                                         BoundaryProp::CUSTOM);
  HaloMatrixWrapper<MatrixT> halo(matrix, bounds, all);
  for (auto* element = matrix.lbegin(); element != matrix.lend(); ++element)
    *element = 1;
  halo.set_custom_halos([](const auto&) { return 1.0; });
  halo.update_async();
  halo.wait();
  auto op = halo.stencil_operator(star);
  CHECK(op.inner.get_value_at({1, 1, 1}, 3.0) == 10.0);
  CHECK(op.boundary.get_value_at({0, 0, 2}, 3.0) == 10.0);
  CHECK(op.boundary.get_value_at({0, 0, 2}, 3.0, [](double a, double b) { return a * b; }) == 6.0);
  op.inner.set_values_at({1, 1, 1}, 5.0, 2.0);
  CHECK(matrix.local[1][1][1] == 10.0);
  CHECK(matrix.local[1][1][2] == 10.0);
  CHECK(matrix.local[0][1][1] == 5.0);
  op.boundary.set_values_at({0, 0, 0}, 1.0, 1.0, [](double a, double b) { return a + b; });
  CHECK(matrix.local[0][0][1] == 3.0);
  CHECK(halo.coordinate_access().boundary.range_dim(0).size() ==
        halo.coordinate_access().boundary.ranges().size());
}

TEST_CASE("matrices of tiles, by columns, and of four dimensions have halos") {
  Random random(dash::test::seed());
  for (int round = 0; round < 3; ++round) {
    const auto shape = random_shape<2>(random, 2);
    INFO(describe(shape, 2));
    dash::DistributionSpec<2> blocked(dash::BLOCKED, dash::BLOCKED);
    using Columns = dash::BlockPattern<2, dash::COL_MAJOR>;
    dash::NArray<value_t, 2, dash::default_index_t, Columns> columns(
        Columns(dash::SizeSpec<2>(shape.extents), blocked, dash::TeamSpec<2>(shape.units),
                dash::Team::All()));
    check_matrix(columns, shape, 2);
    using Tiles = dash::TilePattern<2>;
    HaloShape<2> full = shape;
    for (std::size_t d = 0; d < 2; ++d)
      full.extents[d] = 4 * shape.units[d];
    dash::Matrix<value_t, 2> tiles(Tiles(dash::SizeSpec<2>(full.extents), blocked,
                                         dash::TeamSpec<2>(full.units), dash::Team::All()));
    check_matrix(tiles, full, 2);
  }
  const auto shape = random_shape<4>(random, 1);
  INFO(describe(shape, 1));
  HaloMatrix<4> matrix(shape.pattern());
  check_matrix(matrix, shape, 1);
}

TEST_CASE("a view of a matrix has a separate halo") {
  Random random(dash::test::seed() + 1);
  for (int round = 0; round < 12; ++round) {
    const auto outer = random_shape<2>(random, 3);
    const auto box = random_view(random, outer, 2);
    HaloShape<2> shape = outer;
    shape.extents = box.extents();
    INFO(describe(shape, 2) << " of " << describe(outer, 2) << ", view " << box);
    HaloMatrix<2> a(outer.pattern());
    HaloMatrix<2> b(outer.pattern());
    auto view_a = a.template sub<0>(box.offset(0), box.extent(0))
                      .template sub<1>(box.offset(1), box.extent(1));
    auto view_b = b.template sub<0>(box.offset(0), box.extent(0))
                      .template sub<1>(box.offset(1), box.extent(1));
    using View = decltype(view_a);
    const StencilSpec<HaloPoint<2>, 4> stencil(HaloPoint<2>(-2, -2), HaloPoint<2>(-1, 2),
                                               HaloPoint<2>(2, -2), HaloPoint<2>(2, 2));
    HaloMatrixWrapper<View> halo(view_a, shape.bounds(), stencil);
    auto op = halo.stencil_operator(stencil);
    const auto& env = halo.halo_block().block_env();
    fill(a, 9);
    std::fill(b.lbegin(), b.lend(), value_t{7});
    const auto relative = [&](const HaloCoords<2>& local) {
      return HaloCoords<2>{local[0] + env.offsets()[0], local[1] + env.offsets()[1]};
    };
    const auto own = halo.view_local().extents();
    const auto position = [&](const HaloCoords<2>& local) { return op.get_offset(local); };
    for_each_coords<2>(own, [&](const HaloCoords<2>& local) {
      view_a.lbegin()[position(local)] = value_at<2>(relative(local), 0);
    });
    halo.set_custom_halos([](const HaloCoords<2>& c) { return value_at<2>(c, 0); });
    halo.update();
    REQUIRE(count_wrong<2>(halo, shape, 2, 0) == 0);
    if (round % 2 == 0) {
      for (auto it = op.begin(); it != op.end(); ++it) {
        value_t sum = 3 * *it;
        for (std::size_t i = 0; i < 4; ++i)
          sum += (5 + 2 * i) * it.value_at(i);
        view_b.lbegin()[it.lpos()] = sum;
      }
    } else {
      stencil_for(halo, op, view_b.lbegin(), [](const auto& cell) {
        value_t sum = 3 * cell.center();
        for (std::size_t i = 0; i < 4; ++i)
          sum += (5 + 2 * i) * cell[i];
        return sum;
      });
    }
    SerialStencil<2> model(shape);
    model.step(stencil, 0);
    int wrong = 0;
    std::size_t changed = 0;
    for_each_coords<2>(own, [&](const HaloCoords<2>& local) {
      bool valid = true;
      for (const auto& point : stencil.specs())
        valid = valid && in_domain<2>(shape, point.stencil_coords(relative(local)));
      const auto value = view_b.lbegin()[position(local)];
      wrong += value == (valid ? model[relative(local)] : 7) ? 0 : 1;
      changed += valid ? 1 : 0;
    });
    CHECK(wrong == 0);
    std::size_t others = 0;
    for (auto* element = b.lbegin(); element != b.lend(); ++element)
      others += *element == 7 ? 1 : 0;
    CHECK(others == b.local_size() - changed);
    for (const auto& region : halo.halo_block().halo_regions()) {
      if (region.is_custom_region()) continue;
      const auto* element = halo.halo_env().halo_memory().first_element_at(region.index());
      for (const auto& value : region)
        wrong += static_cast<value_t>(value) == *element++ ? 0 : 1;
    }
    CHECK(wrong == 0);
    a.barrier();
  }
}

TEST_CASE("a view of which a unit has no elements is rejected on all units") {
  if (dash::size() == 1) DASH_SKIP("needs two units");
  HaloMatrix<1> matrix(dash::BlockPattern<1>(dash::SizeSpec<1>(4 * dash::size())));
  auto view = matrix.sub<0>(0, 4 * (dash::size() - 1));
  std::string text;
  try {
    HaloMatrixWrapper<decltype(view)> halo(view, 1);
  } catch (const dash::exception::InvalidArgument& error) {
    text = error.what();
  }
  CHECK_THAT(text, ContainsSubstring("elements of each unit") && ContainsSubstring("dimension 0"));
  dash::barrier();
}

}  // namespace
