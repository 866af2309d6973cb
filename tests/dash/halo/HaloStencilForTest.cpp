// dash-test: parallel units=1,2,3 full-units=4,7,8 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll uses=tbb

#include <oneapi/tbb/global_control.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "HaloModel.h"
#include "dash/Array.h"
#include "dash/Future.h"
#include "dash/halo/stencil/StencilFor.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Workers.h"

namespace {

using namespace dash::halo;
using namespace dash::test;

/// Gives each unit three threads, regardless of the number of processors.
struct ThreeThreads {
  tbb::global_control limit{tbb::global_control::max_allowed_parallelism, 3};
  Workers workers{3};
};

/// Compares many steps of stencil_for, or of its task, with the serial model.
template <dash::MemArrange Arrange = dash::ROW_MAJOR, dash::dim_t N, typename StencilSpecT>
void check_steps(const HaloShape<N>& shape, const StencilSpecT& stencil, int nsteps) {
  INFO(describe(shape, stencil));
  Random own(dash::test::seed() + static_cast<unsigned>(dash::myid().id));
  using Matrix = HaloMatrix<N, Arrange>;
  using Halo = HaloMatrixWrapper<Matrix>;
  const auto whole = shape.template pattern<Arrange>();
  std::array<Matrix, 2> matrices{Matrix(whole), Matrix(whole)};
  fill(matrices[0], 0);
  fill(matrices[1], 1);
  Halo first(matrices[0], shape.bounds(), stencil);
  Halo second(matrices[1], shape.bounds(), stencil);
  const std::array<Halo*, 2> halos{&first, &second};
  for (auto* halo : halos)
    halo->set_custom_halos([](const HaloCoords<N>& coords) { return value_at<N>(coords, 50); });
  const std::array operators{first.stencil_operator(stencil), second.stencil_operator(stencil)};
  SerialStencil<N> model(shape);
  const WeightedSum<StencilSpecT::num_stencil_points()> sum;
  const WeightedSumByOffsets<StencilSpecT> by_offsets{stencil};
  for (std::size_t step = 0; step < static_cast<std::size_t>(nsteps); ++step) {
    const std::size_t now = step % 2;
    auto* const dst = matrices[1 - now].lbegin();
    switch (own.below(3)) {
      case 0:
        stencil_for(*halos[now], operators[now], dst, sum);
        break;
      case 1:
        stencil_for(*halos[now], operators[now], dst, by_offsets);
        break;
      default:
        stencil_for_async(*halos[now], operators[now], dst, sum).get();
    }
    model.step(stencil, 50);
    int wrong = 0;
    const auto& pattern = matrices[0].pattern();
    for_each_coords<N>(pattern.local_extents(), [&](const HaloCoords<N>& local) {
      wrong += dst[pattern.local_at(local)] == model[pattern.global(local)] ? 0 : 1;
    });
    CAPTURE(step);
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("stencil_for runs steps on random shapes with the results of the serial model") {
  Random random(dash::test::seed());
  using Star = StencilSpec<HaloPoint<2>, 4>;
  for (int round = 0; round < 10; ++round) {
    const auto shape = random_shape<2>(random, 3);
    const auto point = [&] { return HaloPoint<2>(random.between(-3, 3), random.between(-3, 3)); };
    const Star stencil(point(), point(), point(), point());
    round % 2 == 0 ? check_steps(shape, stencil, 10)
                   : check_steps<dash::COL_MAJOR>(shape, stencil, 10);
  }
  using Solid = StencilSpec<HaloPoint<3>, 4>;
  const Solid corners(HaloPoint<3>(-1, -1, -1), HaloPoint<3>(1, 1, 1), HaloPoint<3>(1, -1, 1),
                      HaloPoint<3>(-1, 1, -1));
  for (int round = 0; round < 3; ++round)
    check_steps(random_shape<3>(random, 1), corners, 8);
}

TEST_CASE("stencil_for runs its parts on several threads") {
  const ThreeThreads three;
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::NONE};
  using Star = StencilSpec<HaloPoint<2>, 4>;
  const Star star(HaloPoint<2>(-1, 0), HaloPoint<2>(1, 0), HaloPoint<2>(0, -1), HaloPoint<2>(0, 1));
  // Rows of several segments with a border of several parts; only a border; several chunks of rows.
  for (const auto& [rows, columns] : {std::pair{7, 9001}, {2, 9001}, {400, 60}}) {
    shape.extents = {static_cast<std::size_t>(rows) * dash::size(),
                     static_cast<std::size_t>(columns)};
    check_steps(shape, star, 6);
  }
  HaloShape<1> line;
  line.units = {dash::size()};
  line.extents = {20000 * dash::size()};
  line.props = {BoundaryProp::CYCLIC};
  check_steps(line, StencilSpec<HaloPoint<1>, 2>(HaloPoint<1>(-1), HaloPoint<1>(2)), 6);
}

TEST_CASE("the first exception of several threads of stencil_for is rethrown") {
  const ThreeThreads three;
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {4 * dash::size(), 9001};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  const StencilSpec<HaloPoint<2>, 2> stencil(HaloPoint<2>(-1, 0), HaloPoint<2>(1, 0));
  HaloMatrix<2> a(shape.pattern());
  HaloMatrix<2> b(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<2>> halo(a, shape.bounds(), stencil);
  const auto op = halo.stencil_operator(stencil);
  const auto fail_at = [](long location) {
    return [location](const auto& cell) -> value_t {
      if (cell.lpos() == location) throw std::domain_error("of the cell");
      return 0;
    };
  };
  // In the border before the inner part, in the inner part, and in the border after it.
  for (const long location : {5L, 9001L + 8500, 3 * 9001L + 7000}) {
    CHECK_THROWS_AS(stencil_for(halo, op, b.lbegin(), fail_at(location)), std::domain_error);
    halo.wait();
  }
  CHECK_NOTHROW(stencil_for(halo, op, b.lbegin(), fail_at(-1)));
}

TEST_CASE("a halo cannot be updated while a task computes a step with it") {
  HaloShape<1> shape;
  shape.units = {dash::size()};
  shape.extents = {10 * dash::size()};
  shape.props = {BoundaryProp::CYCLIC};
  const StencilSpec<HaloPoint<1>, 2> stencil(HaloPoint<1>(-1), HaloPoint<1>(1));
  HaloMatrix<1> a(shape.pattern());
  HaloMatrix<1> b(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<1>> halo(a, shape.bounds(), stencil);
  const auto op = halo.stencil_operator(stencil);
  const auto sum = WeightedSum<2>();
  for (int step = 1; step < 10; ++step) {
    fill(a, step);
    std::atomic<bool> may_continue{false};
    auto step_done = stencil_for_async(halo, op, b.lbegin(), [&](const auto& cell) {
      while (!may_continue.load())
        std::this_thread::yield();
      return sum(cell);
    });
    CHECK_THROWS_WITH(halo.update_async(),
                      Catch::Matchers::ContainsSubstring("step " + std::to_string(step)) &&
                          Catch::Matchers::ContainsSubstring("wait for its future"));
    CHECK_THROWS_AS(stencil_for_async(halo, op, b.lbegin(), sum), dash::exception::RuntimeError);
    CHECK(halo.halo_env().step() == static_cast<std::uint64_t>(step));
    may_continue = true;
    step_done.get();
    const auto first = a.pattern().global(HaloCoords<1>{0})[0];
    CHECK(b.lbegin()[0] == 3 * value_at<1>({first}, step) +
                               5 * expected_halo<1>(shape, {first - 1}, step, 0) +
                               7 * value_at<1>({first + 1}, step));
  }
}

TEST_CASE("stencil_for runs wide stencils, even with more offsets than the border is split at") {
  HaloShape<3> solid;
  solid.units = {1, dash::size(), 1};
  solid.extents = {5, 6 * dash::size(), 11};
  solid.props = {BoundaryProp::CYCLIC, BoundaryProp::CUSTOM, BoundaryProp::NONE};
  const StencilSpec<HaloPoint<3>, 8> star(
      HaloPoint<3>(-2, 0, 0), HaloPoint<3>(1, 0, 0), HaloPoint<3>(0, -1, 0), HaloPoint<3>(0, -3, 0),
      HaloPoint<3>(0, 2, 0), HaloPoint<3>(0, 0, -1), HaloPoint<3>(0, 0, 4), HaloPoint<3>(2, 3, -2));
  check_steps(solid, star, 4);
  check_steps<dash::COL_MAJOR>(solid, star, 4);

  HaloShape<1> line;
  line.units = {dash::size()};
  line.extents = {100 * dash::size()};
  line.props = {BoundaryProp::CYCLIC};
  std::array<HaloPoint<1>, 70> points;
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = HaloPoint<1>(static_cast<int>(i) - 68 - (i < 68 ? 0 : -1));
  check_steps(line, StencilSpec<HaloPoint<1>, 70>(points), 3);
}

TEST_CASE("stencil_for divides large blocks and long borders into parts") {
  HaloShape<2> shape;
  shape.units = {1, dash::size()};
  shape.extents = {9001, 7 * dash::size()};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  using Star = StencilSpec<HaloPoint<2>, 4>;
  const Star star(HaloPoint<2>(-1, 0), HaloPoint<2>(1, 0), HaloPoint<2>(0, -1), HaloPoint<2>(0, 1));
  check_steps(shape, star, 4);
}

TEST_CASE("stencil_for updates the border first whose halo arrives first") {
  // A line of units; the one before the middle one is late.
  if (dash::size() < 3) DASH_SKIP("needs three units");
  const int me = dash::myid().id;
  HaloShape<1> shape;
  shape.units = {dash::size()};
  shape.extents = {4 * dash::size()};
  HaloMatrix<1> a(shape.pattern());
  HaloMatrix<1> b(shape.pattern());
  fill(a, 0);
  const StencilSpec<HaloPoint<1>, 2> stencil(HaloPoint<1>(-1), HaloPoint<1>(1));
  HaloMatrixWrapper<HaloMatrix<1>> halo(a, shape.bounds(), stencil);
  const auto op = halo.stencil_operator(stencil);
  dash::Array<int> is_behind_done(dash::size());
  is_behind_done.local[0] = 0;
  dash::barrier();
  // The first unit begins when the second one has updated its border to the third.
  if (me == 0) {
    while (static_cast<int>(is_behind_done[1]) == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  stencil_for(halo, op, b.lbegin(), [&](const auto& cell) {
    if (me == 1 && cell.lpos() == 3) is_behind_done.local[0] = 1;
    return cell.center() + cell[0] + cell[1];
  });
  if (me == 1) CHECK(b.lbegin()[0] == a.lbegin()[0] + value_at<1>({3}, 0) + a.lbegin()[1]);
  dash::barrier();
}

TEST_CASE("an exception of the function of stencil_for is rethrown, and the next step works") {
  HaloShape<1> shape;
  shape.units = {dash::size()};
  shape.extents = {10 * dash::size()};
  shape.props = {BoundaryProp::CYCLIC};
  const StencilSpec<HaloPoint<1>, 2> stencil(HaloPoint<1>(-1), HaloPoint<1>(1));
  HaloMatrix<1> a(shape.pattern());
  HaloMatrix<1> b(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<1>> halo(a, shape.bounds(), stencil);
  HaloMatrixWrapper<HaloMatrix<1>> other(b, shape.bounds(), stencil);
  const auto op = halo.stencil_operator(stencil);
  const auto fail = [](const auto&) -> value_t { throw std::domain_error("of the cell"); };
  fill(a, 0);
  CHECK_THROWS_AS(stencil_for(halo, op, b.lbegin(), fail), std::domain_error);
  halo.wait();
  CHECK_THROWS_AS(stencil_for_async(halo, op, b.lbegin(), fail).get(), std::domain_error);
  halo.wait();
  stencil_for(halo, op, b.lbegin(), [](const auto& cell) { return cell[0] + cell[1]; });
  const auto first = a.pattern().global(HaloCoords<1>{0})[0];
  CHECK(b.lbegin()[0] == expected_halo<1>(shape, {first - 1}, 0, 0) + value_at<1>({first + 1}, 0));

  // The block may be written immediately after catching the exception: no neighbour receives the
  // new values.
  for (int step = 0; step < 10; ++step) {
    fill(a, step);
    CHECK_THROWS_AS(stencil_for(halo, op, b.lbegin(), fail), std::domain_error);
    fill(a, -1);
    CHECK(*halo.halo_element_at_local({-1}) == expected_halo<1>(shape, {first - 1}, step, 0));
    halo.wait();
  }

  const auto sum = WeightedSum<2>();
  CHECK_THROWS_AS(stencil_for(other, op, b.lbegin(), sum), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(stencil_for(halo, op, a.lbegin(), sum), dash::exception::InvalidArgument);
}

}  // namespace
