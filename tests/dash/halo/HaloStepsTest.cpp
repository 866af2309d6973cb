// dash-test: parallel units=1,2,3,4,6,7 full-units=8 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>

#include "HaloModel.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using namespace dash::halo;
using namespace dash::test;

/// Sleeps occasionally, so that neighbours get a step apart.
void sleep_occasionally(Random& own) {
  if (own.below(4) == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(own.below(300)));
  }
}

/// The update of an element, as in SerialStencil.
template <std::size_t NumPoints, typename ReadFn>
value_t weighted_sum(value_t center, ReadFn read) {
  value_t sum = 3 * center;
  value_t weight = 5;
  for (std::size_t i = 0; i < NumPoints; ++i, weight += 2)
    sum += weight * read(i);
  return sum;
}

/// One step on one unit, in one of the forms in which a program may write it. Units may choose
/// different forms.
template <typename WrapperT, typename OperatorT, typename MatrixT>
void one_step(WrapperT& current, OperatorT& op, MatrixT& next, Random& own) {
  constexpr auto points = OperatorT::num_stencil_points();
  const auto inner = [](value_t* center, value_t* dst, auto /*offset*/, const auto& offsets) {
    *dst = weighted_sum<points>(*center, [&](std::size_t i) { return center[offsets[i]]; });
  };
  const auto boundary = [](auto& it) {
    return weighted_sum<points>(*it, [&](std::size_t i) { return it.value_at(i); });
  };
  auto* dst = next.lbegin();
  switch (own.below(5)) {
    case 0:  // the ordinary form
      current.update_async();
      op.inner.update(dst, inner);
      sleep_occasionally(own);
      current.wait();
      op.boundary.update(dst, boundary);
      break;
    case 1:  // iterators only, after the update
      current.update();
      for (auto it = op.begin(); it != op.end(); ++it)
        dst[it.lpos()] = boundary(it);
      break;
    case 2:  // access to the boundary waits
      current.update_async();
      op.boundary.update(dst, boundary);
      for (auto it = op.inner.begin(); it != op.inner.end(); ++it)
        dst[it.lpos()] = boundary(it);
      current.wait();
      break;
    case 3: {  // region by region, in descending order
      current.halo_env().prepare_update();
      constexpr auto regions = NumRegionsMax<OperatorT::ndim()>;
      for (region_index_t region = 0; region < regions; ++region) {
        current.update_async_at(region);
      }
      op.inner.update(op.inner.begin(), op.inner.end(), dst, inner);
      for (region_index_t region = regions; region-- > 0;) {
        sleep_occasionally(own);
        const auto [begin, end] = op.boundary.iterator_at(region);
        op.boundary.update(begin, end, dst, boundary);
      }
      for (region_index_t region = 0; region < regions; ++region)
        current.wait(region);
      break;
    }
    default:  // one side after the other
      current.update_async();
      for (int d = OperatorT::ndim(); d-- > 0;) {
        for (const auto pos : {RegionPos::POST, RegionPos::PRE}) {
          const auto [begin, end] = op.boundary.iterator_at(d, pos);
          op.boundary.update(begin, end, dst, boundary);
        }
      }
      current.wait();
      op.inner.update(dst, inner);
      break;
  }
}

/// Runs a stencil for many steps on two matrices, or boxes of them, without a barrier, and compares
/// with the serial model.
/// \param shape  shape of the matrices, or of the boxes
template <SignalReady Ready = SignalReady::OFF, typename RangeT, dash::dim_t N,
          typename StencilSpecT>
void check_steps(RangeT& a, RangeT& b, const HaloShape<N>& shape, const StencilSpecT& stencil,
                 int nsteps) {
  INFO(describe(shape, stencil));
  Random own(dash::test::seed() + 1000 + static_cast<unsigned>(dash::myid().id));
  using Wrapper = HaloMatrixWrapper<RangeT, Ready>;
  Wrapper wrapper_a(a, shape.bounds(), stencil);
  Wrapper wrapper_b(b, shape.bounds(), stencil);
  const auto custom = [](const HaloCoords<N>& coords) { return value_at<N>(coords, 50); };
  wrapper_a.set_custom_halos(custom);
  wrapper_b.set_custom_halos(custom);
  auto op_a = wrapper_a.stencil_operator(stencil);
  auto op_b = wrapper_b.stencil_operator(stencil);
  const auto& env = wrapper_a.halo_block().block_env();
  const auto block = wrapper_a.view_local().extents();
  const auto for_each_own = [&](auto fn) {
    for_each_coords<N>(block, [&](const HaloCoords<N>& local) {
      auto coords = local;
      for (int d = 0; d < N; ++d)
        coords[d] += env.offsets()[d];
      fn(op_a.get_offset(local), coords);
    });
  };
  for_each_own([&](auto offset, const HaloCoords<N>& coords) {
    a.lbegin()[offset] = value_at<N>(coords, 0);
    b.lbegin()[offset] = value_at<N>(coords, 1);
  });
  SerialStencil<N> model(shape);

  auto* current = &wrapper_a;
  auto* next = &wrapper_b;
  auto* op = &op_a;
  auto* next_op = &op_b;
  for (int step = 0; step < nsteps; ++step) {
    one_step(*current, *op, next->matrix(), own);
    std::swap(current, next);
    std::swap(op, next_op);
    model.step(stencil, 50);
    sleep_occasionally(own);
    int wrong = 0;
    for_each_own([&](auto offset, const HaloCoords<N>& coords) {
      wrong += current->matrix().lbegin()[offset] == model[coords] ? 0 : 1;
    });
    CAPTURE(step);
    REQUIRE(wrong == 0);
  }
}

template <dash::dim_t N, typename StencilSpecT>
void check_steps(const HaloShape<N>& shape, const StencilSpecT& stencil, int nsteps) {
  HaloMatrix<N> a(shape.pattern());
  HaloMatrix<N> b(shape.pattern());
  check_steps(a, b, shape, stencil, nsteps);
}

// Few types of stencils, to limit compile time.
using Line = StencilSpec<HaloPoint<1>, 2>;
using Star = StencilSpec<HaloPoint<2>, 4>;
using Solid = StencilSpec<HaloPoint<3>, 4>;

TEST_CASE("a five-point stencil runs many steps without a barrier") {
  Random random(dash::test::seed());
  const Star star(HaloPoint<2>(-1, 0), HaloPoint<2>(1, 0), HaloPoint<2>(0, -1), HaloPoint<2>(0, 1));
  for (int round = 0; round < 4; ++round)
    check_steps(random_shape<2>(random, 1), star, 50);
}

TEST_CASE("stencils that reach corners run many steps without a barrier") {
  Random random(dash::test::seed() + 1);
  check_steps(random_shape<1>(random, 3), Line(HaloPoint<1>(-3), HaloPoint<1>(3)), 40);
  const Star cross(HaloPoint<2>(-2, -2), HaloPoint<2>(-2, 2), HaloPoint<2>(2, -2),
                   HaloPoint<2>(2, 2));
  for (int round = 0; round < 3; ++round)
    check_steps(random_shape<2>(random, 2), cross, 40);
  const Solid corners(HaloPoint<3>(-1, -1, -1), HaloPoint<3>(1, 1, 1), HaloPoint<3>(1, -1, 1),
                      HaloPoint<3>(-1, 1, -1));
  for (int round = 0; round < 3; ++round)
    check_steps(random_shape<3>(random, 1), corners, 20);
}

TEST_CASE(
    "an asymmetric stencil runs many steps without a barrier: data flows in one direction only") {
  Random random(dash::test::seed() + 2);
  const Line upwind(HaloPoint<1>(-1), HaloPoint<1>(-2));
  for (int round = 0; round < 4; ++round)
    check_steps(random_shape<1>(random, 2), upwind, 60);
  const Star corner(HaloPoint<2>(1, -2), HaloPoint<2>(0, 1), HaloPoint<2>(1, 0),
                    HaloPoint<2>(0, -1));
  for (int round = 0; round < 3; ++round)
    check_steps(random_shape<2>(random, 2), corner, 40);
  const Solid diagonal(HaloPoint<3>(1, 1, 1), HaloPoint<3>(1, 0, 0), HaloPoint<3>(0, 0, 1),
                       HaloPoint<3>(0, 1, 1));
  for (int round = 0; round < 3; ++round)
    check_steps(random_shape<3>(random, 1), diagonal, 20);
}

TEST_CASE("random stencils on random shapes run without a barrier") {
  Random random(dash::test::seed() + 3);
  for (int round = 0; round < 12; ++round) {
    const auto shape = random_shape<2>(random, 3);
    const auto point = [&] { return HaloPoint<2>(random.between(-3, 3), random.between(-3, 3)); };
    check_steps(shape, Star(point(), point(), point(), point()), 15);
  }
}

TEST_CASE("blocks no larger than the halo are all boundary, each element once") {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {2 * dash::size(), 3};
  const Star stencil(HaloPoint<2>(-2, -2), HaloPoint<2>(2, 2), HaloPoint<2>(1, -1),
                     HaloPoint<2>(-2, 1));
  for (const auto prop : {BoundaryProp::NONE, BoundaryProp::CYCLIC, BoundaryProp::CUSTOM}) {
    shape.props = {prop, BoundaryProp::CYCLIC};
    check_steps(shape, stencil, 10);
  }
}

TEST_CASE(
    "boxes of matrices run many steps without a barrier; elements around them do not change") {
  constexpr value_t around = 7;
  Random random(dash::test::seed() + 5);
  const Star star(HaloPoint<2>(-1, -1), HaloPoint<2>(1, 0), HaloPoint<2>(0, -1),
                  HaloPoint<2>(1, 1));
  for (int round = 0; round < 4; ++round) {
    const auto outer = random_shape<2>(random, 3);
    const auto box = random_view(random, outer, 1);
    INFO(describe(outer, star) << ", box " << box);
    auto shape = outer;
    shape.extents = box.extents();
    std::array<HaloMatrix<2>, 2> matrices{HaloMatrix<2>(outer.pattern()),
                                          HaloMatrix<2>(outer.pattern())};
    for (auto& matrix : matrices)
      std::fill(matrix.lbegin(), matrix.lend(), around);
    const auto view = [&](HaloMatrix<2>& matrix) {
      return matrix.sub<0>(box.offset(0), box.extent(0)).sub<1>(box.offset(1), box.extent(1));
    };
    auto a = view(matrices[0]);
    auto b = view(matrices[1]);
    check_steps(a, b, shape, star, 20);
    const auto own = HaloMatrixWrapper<decltype(a)>(a, star).view_local().size();
    for (auto& matrix : matrices)
      CHECK(static_cast<std::size_t>(std::count(matrix.lbegin(), matrix.lend(), around)) ==
            matrix.local_size() - own);
  }
}

TEST_CASE("matrices of two teams run steps concurrently, in different numbers") {
  if (dash::size() == 1) DASH_SKIP("needs two units");
  auto& team = dash::Team::All().split(2);
  const Star star(HaloPoint<2>(-1, 0), HaloPoint<2>(1, 0), HaloPoint<2>(0, -1), HaloPoint<2>(0, 1));
  Random random(dash::test::seed() + 6 + static_cast<unsigned>(team.position()));
  for (int round = 0; round < 3; ++round) {
    const auto shape = random_shape<2>(random, 1, team);
    HaloMatrix<2> a(shape.pattern(team));
    HaloMatrix<2> b(shape.pattern(team));
    check_steps(a, b, shape, star, team.position() == 0 ? 10 : 40);
  }
  dash::barrier();
}

TEST_CASE("a program with SignalReady::ON works, too") {
  Random random(dash::test::seed() + 7);
  const StencilSpec<HaloPoint<1>, 2> line(HaloPoint<1>(-1), HaloPoint<1>(2));
  const auto shape = random_shape<1>(random, 2);
  HaloMatrix<1> a(shape.pattern());
  HaloMatrix<1> b(shape.pattern());
  check_steps<SignalReady::ON>(a, b, shape, line, 30);
}

TEST_CASE("a block may be written after a wait for each region that it receives") {
  // Data is sent to higher units only, as messages that are sent when they are received: the first
  // unit only waits for its send.
  constexpr std::size_t block = 40000;
  constexpr spoint_value_t width = 20000;
  HaloShape<1> shape;
  shape.units = {dash::size()};
  shape.extents = {block * dash::size()};
  const StencilSpec<HaloPoint<1>, 1> upwind(HaloPoint<1>(-width));
  Random own(dash::test::seed() + static_cast<unsigned>(dash::myid().id));
  HaloMatrix<1> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<1>> wrapper(matrix, upwind);
  const auto first = matrix.pattern().global(HaloCoords<1>{0})[0];
  for (int step = 0; step < 20; ++step) {
    fill(matrix, step);
    wrapper.halo_env().prepare_update();
    sleep_occasionally(own);
    wrapper.update_at(0);
    fill(matrix, -1);
    if (dash::myid() == 0) continue;
    int wrong = 0;
    for (spoint_value_t i = 1; i <= width; ++i) {
      wrong += *wrapper.halo_element_at_local({-i}) == value_at<1>({first - i}, step) ? 0 : 1;
    }
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("updates without a wait are pending together with the next ones") {
  Random own(dash::test::seed() + static_cast<unsigned>(dash::myid().id));
  HaloShape<2> shape;
  shape.units = {1, dash::size()};
  // A message that is sent immediately, and one that is sent when it is received.
  for (const std::size_t rows : {3, 4000}) {
    shape.extents = {rows, 4 * dash::size()};
    HaloMatrix<2> matrix(shape.pattern());
    HaloMatrixWrapper<HaloMatrix<2>> halo(matrix, shape.bounds(), 1);
    const auto& env = halo.halo_block().block_env();
    for (int step = 0; step < 20; ++step) {
      fill(matrix, step);
      dash::barrier();
      sleep_occasionally(own);
      halo.update_async();
      sleep_occasionally(own);
      halo.update_async();
      // Other units may complete their work before the next test.
      if (own.below(2) == 0) halo.halo_env().test(3);
      sleep_occasionally(own);
      halo.wait();
      for (const region_index_t region : {3U, 5U}) {
        const auto box = env.halo_box(region);
        if (box.empty()) continue;
        const HaloCoords<2> first{box[0].begin + env.offsets()[0], box[1].begin + env.offsets()[1]};
        REQUIRE(*halo.halo_env().halo_memory().first_element_at(region) ==
                value_at<2>(first, step));
      }
      dash::barrier();
    }
  }
}

TEST_CASE("an update of a single region leaves the other regions pending") {
  Random own(dash::test::seed() + static_cast<unsigned>(dash::myid().id));
  HaloShape<1> shape;
  shape.units = {dash::size()};
  shape.extents = {4 * dash::size()};
  shape.props = {BoundaryProp::CYCLIC};
  HaloMatrix<1> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<1>> halo(matrix, shape.bounds(), 1);
  const auto& env = halo.halo_block().block_env();
  for (int step = 0; step < 40; ++step) {
    fill(matrix, step);
    dash::barrier();
    sleep_occasionally(own);
    const region_index_t region = step % 3 == 0 ? 2 : 0;
    halo.halo_env().prepare_update();
    halo.update_async_at(region);
    sleep_occasionally(own);
    halo.wait();
    const auto end = static_cast<dash::default_index_t>(shape.extents[0]);
    const auto coord = env.halo_box(region)[0].begin + env.offsets()[0];
    REQUIRE(*halo.halo_env().halo_memory().first_element_at(region) ==
            value_at<1>({(coord + end) % end}, step));
    dash::barrier();
  }
}

TEST_CASE("one matrix may be updated in location between updates") {
  HaloShape<1> shape;
  shape.units = {dash::size()};
  shape.extents = {4 * dash::size()};
  shape.props = {BoundaryProp::CYCLIC};
  Random own(dash::test::seed() + static_cast<unsigned>(dash::myid().id));
  HaloMatrix<1> matrix(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<1>> wrapper(matrix, shape.bounds(), 1);
  for (int step = 0; step < 200; ++step) {
    fill(matrix, step);
    wrapper.update_async();
    sleep_occasionally(own);
    wrapper.wait();
    const auto first = matrix.pattern().global(HaloCoords<1>{0})[0];
    const auto left = expected_halo<1>(shape, {first - 1}, step, 0);
    const auto right = expected_halo<1>(shape, {first + 4}, step, 0);
    REQUIRE(*wrapper.halo_element_at_local({-1}) == left);
    REQUIRE(*wrapper.halo_element_at_local({4}) == right);
  }
}

}  // namespace
