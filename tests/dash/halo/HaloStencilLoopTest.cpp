// dash-test: parallel units=1,2,3 full-units=4,7,8 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll uses=tbb

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "HaloModel.h"
#include "dash/halo/stencil/StencilFields.h"
#include "dash/halo/stencil/StencilLoop.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Workers.h"

namespace {

using namespace dash::halo;
using namespace dash::test;

using Star = StencilSpec<HaloPoint<2>, 4>;

Star random_star(Random& random) {
  const auto point = [&] { return HaloPoint<2>(random.between(-2, 2), random.between(-2, 2)); };
  return Star(point(), point(), point(), point());
}

/// The value beyond a CUSTOM border.
value_t beyond_border(const HaloCoords<2>& coords) {
  return value_at<2>(coords, 50);
}

/// A matrix of a random shape with a halo for a random stencil.
struct RandomCase {
  explicit RandomCase(Random& random)
      : shape(random_shape<2>(random, 2)),
        stencil(random_star(random)),
        a(shape.pattern()),
        halo(a, shape.bounds(), stencil),
        op(halo.stencil_operator(stencil)) {
    fill(a, 0);
    halo.set_custom_halos(beyond_border);
  }

  /// Another matrix, filled with the values of a step.
  HaloMatrix<2> matrix(int step) const {
    HaloMatrix<2> result(shape.pattern());
    fill(result, step);
    return result;
  }

  HaloShape<2> shape;
  Star stencil;
  HaloMatrix<2> a;
  HaloMatrixWrapper<HaloMatrix<2>> halo;
  HaloMatrixWrapper<HaloMatrix<2>>::StencilOperator_t<Star> op;
};

using Pair = StencilSpec<HaloPoint<1>, 2>;
const Pair beside(HaloPoint<1>(-1), HaloPoint<1>(1));

/// A line with the same number of elements on each unit.
HaloShape<1> line_of(std::size_t elements_of_unit, BoundaryProp border) {
  HaloShape<1> shape;
  shape.units = {dash::size()};
  shape.extents = {elements_of_unit * dash::size()};
  shape.props = {border};
  return shape;
}

/// The positions of the elements that a step computes.
template <typename OperatorT>
std::vector<bool> computed_elements(const OperatorT& op, std::size_t size) {
  std::vector<bool> is_computed(size);
  for (auto it = op.begin(); it != op.end(); ++it)
    is_computed[static_cast<std::size_t>(it.lpos())] = true;
  return is_computed;
}

TEST_CASE("a function with two parameters reads and changes the elements of the destination") {
  Random random(dash::test::seed());
  for (int round = 0; round < 10; ++round) {
    RandomCase test(random);
    INFO(describe(test.shape, test.stencil));
    HaloMatrix<2> stored = test.matrix(1);
    HaloMatrix<2> sums = test.matrix(1);
    const WeightedSum<4> sum;
    stencil_for(test.halo, test.op, stored.lbegin(), sum);
    stencil_for(test.halo, test.op, sums.lbegin(),
                [&](const auto& cell, value_t& element) { element += sum(cell); });
    const auto is_computed = computed_elements(test.op, sums.local_size());
    const HaloMatrix<2> before = test.matrix(1);
    int wrong = 0;
    for (std::size_t i = 0; i < sums.local_size(); ++i) {
      const value_t added = is_computed[i] ? stored.lbegin()[i] : 0;
      wrong += sums.lbegin()[i] == before.lbegin()[i] + added ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("transform of the inner part and of the boundary computes the same as stencil_for") {
  Random random(dash::test::seed());
  for (int round = 0; round < 10; ++round) {
    RandomCase test(random);
    INFO(describe(test.shape, test.stencil));
    HaloMatrix<2> expected = test.matrix(1);
    HaloMatrix<2> b = test.matrix(1);
    const WeightedSumByOffsets<Star> sum{test.stencil};
    stencil_for(test.halo, test.op, expected.lbegin(), sum);
    test.halo.update_async();
    test.op.inner.transform(b.lbegin(), sum);
    // Waits for the regions.
    test.op.boundary.transform(b.lbegin(), sum);
    test.halo.wait();
    CHECK(std::equal(b.lbegin(), b.lend(), expected.lbegin()));
  }
}

TEST_CASE("transform refuses its source as destination, and halos that were never updated") {
  const auto shape = line_of(4, BoundaryProp::CYCLIC);
  HaloMatrix<1> a(shape.pattern());
  HaloMatrix<1> b(shape.pattern());
  fill(a, 0);
  HaloMatrixWrapper<HaloMatrix<1>> halo(a, shape.bounds(), beside);
  const auto op = halo.stencil_operator(beside);
  const WeightedSum<2> sum;
  CHECK_THROWS_AS(op.inner.transform(a.lbegin(), sum), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(op.boundary.transform(a.lbegin(), sum), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(op.boundary.transform(nullptr, sum), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(op.boundary.transform(b.lbegin(), sum), dash::exception::RuntimeError);
  halo.update();
  CHECK_NOTHROW(op.boundary.transform(b.lbegin(), sum));
}

/// \returns the sum over all units
value_t sum_of_all(value_t own) {
  return dash::allreduce_async(own, dash::plus<value_t>()).get();
}

template <dash::dim_t N, typename StencilSpecT>
void check_reduction(const HaloShape<N>& shape, const StencilSpecT& stencil) {
  INFO(describe(shape, stencil));
  HaloMatrix<N> a(shape.pattern());
  HaloMatrix<N> b(shape.pattern());
  fill(a, 0);
  fill(b, 1);
  HaloMatrixWrapper<HaloMatrix<N>> halo(a, shape.bounds(), stencil);
  halo.set_custom_halos([](const HaloCoords<N>& coords) { return value_at<N>(coords, 50); });
  const auto op = halo.stencil_operator(stencil);
  const WeightedSum<StencilSpecT::num_stencil_points()> new_value;
  const value_t sum = stencil_reduce(halo, op, b.lbegin(), value_t{0}, dash::plus<value_t>(),
                                     [&](const auto& cell, value_t& element) {
                                       element = new_value(cell);
                                       return element ^ cell.center();
                                     });
  value_t expected = 0;
  const auto is_computed = computed_elements(op, a.local_size());
  for (std::size_t i = 0; i < a.local_size(); ++i)
    expected += is_computed[i] ? b.lbegin()[i] ^ a.lbegin()[i] : 0;
  CHECK(sum == sum_of_all(expected));
  const value_t largest = stencil_reduce(halo, op, b.lbegin(), value_t{0}, dash::max<value_t>(),
                                         [](const auto& cell, value_t&) { return cell.center(); });
  value_t own = 0;
  for (std::size_t i = 0; i < a.local_size(); ++i) {
    if (is_computed[i]) own = std::max(own, a.lbegin()[i]);
  }
  CHECK(largest == dash::allreduce_async(own, dash::max<value_t>()).get());
}

TEST_CASE("stencil_reduce combines a value of each computed element of all units") {
  Random random(dash::test::seed());
  for (int round = 0; round < 5; ++round)
    check_reduction(random_shape<2>(random, 2), random_star(random));
  const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, 3);
  const Workers workers(3);
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CUSTOM};
  shape.extents = {400 * dash::size(), 131};
  check_reduction(shape, random_star(random));
}

TEST_CASE("a step of several fields computes each of them from all of them") {
  Random random(dash::test::seed());
  for (int round = 0; round < 10; ++round) {
    RandomCase test(random);
    INFO(describe(test.shape, test.stencil));
    HaloMatrix<2> b = test.matrix(7);
    HaloMatrixWrapper<HaloMatrix<2>> halo_b(b, test.shape.bounds(), test.stencil);
    halo_b.set_custom_halos(beyond_border);
    const auto op_b = halo_b.stencil_operator(test.stencil);
    const WeightedSum<4> sum;
    const WeightedSumByOffsets<Star> by_offsets{test.stencil};
    HaloMatrix<2> sum_a = test.matrix(1);
    HaloMatrix<2> sum_b = test.matrix(1);
    stencil_for(test.halo, test.op, sum_a.lbegin(), sum);
    stencil_for(halo_b, op_b, sum_b.lbegin(), sum);
    HaloMatrix<2> new_a = test.matrix(1);
    HaloMatrix<2> new_b = test.matrix(2);
    stencil_for(
        std::tuple(field(test.halo, test.op, new_a.lbegin()), field(halo_b, op_b, new_b.lbegin())),
        [&](const auto& cell_a, const auto& cell_b, value_t& out_a, value_t& out_b) {
          out_a = 3 * sum(cell_a) + by_offsets(cell_b);
          out_b += by_offsets(cell_a) ^ sum(cell_b);
        });
    const HaloMatrix<2> old_a = test.matrix(1);
    const HaloMatrix<2> old_b = test.matrix(2);
    const auto is_computed = computed_elements(test.op, b.local_size());
    int wrong = 0;
    for (std::size_t i = 0; i < b.local_size(); ++i) {
      const value_t from_a = sum_a.lbegin()[i];
      const value_t from_b = sum_b.lbegin()[i];
      const value_t expected_a = is_computed[i] ? 3 * from_a + from_b : old_a.lbegin()[i];
      const value_t expected_b = old_b.lbegin()[i] + (is_computed[i] ? from_a ^ from_b : 0);
      wrong += new_a.lbegin()[i] == expected_a && new_b.lbegin()[i] == expected_b ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("fields of one step must have the same pattern and stencil") {
  const auto shape = line_of(4, BoundaryProp::NONE);
  const auto longer = line_of(5, BoundaryProp::NONE);
  const Pair other(HaloPoint<1>(-1), HaloPoint<1>(0));
  HaloMatrix<1> a(shape.pattern());
  HaloMatrix<1> b(longer.pattern());
  HaloMatrix<1> to_a(shape.pattern());
  HaloMatrix<1> to_b(longer.pattern());
  HaloMatrixWrapper<HaloMatrix<1>> halo_a(a, beside);
  HaloMatrixWrapper<HaloMatrix<1>> halo_b(b, beside);
  const auto op_a = halo_a.stencil_operator(beside);
  const auto op_b = halo_b.stencil_operator(beside);
  const auto op_other = halo_a.stencil_operator(other);
  const auto do_nothing = [](const auto&, const auto&, value_t&, value_t&) {};
  const auto first = field(halo_a, op_a, to_a.lbegin());
  CHECK_THROWS_AS(stencil_for(std::tuple(first, field(halo_b, op_b, to_b.lbegin())), do_nothing),
                  dash::exception::InvalidArgument);
  HaloMatrix<1> to_other(shape.pattern());
  CHECK_THROWS_AS(
      stencil_for(std::tuple(first, field(halo_a, op_other, to_other.lbegin())), do_nothing),
      dash::exception::InvalidArgument);
  // Other borders, of which other regions would be needed.
  HaloMatrix<1> d(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<1>> halo_d(d, GlobalBoundarySpec<1>(BoundaryProp::CYCLIC), beside);
  const auto op_d = halo_d.stencil_operator(beside);
  CHECK_THROWS_AS(
      stencil_for(std::tuple(first, field(halo_d, op_d, to_other.lbegin())), do_nothing),
      dash::exception::InvalidArgument);
  CHECK_THROWS_AS(
      stencil_for(std::tuple(first, field(halo_a, op_a, to_other.lbegin())), do_nothing),
      dash::exception::InvalidArgument);
  // The destination of one field is that, or the source, of another.
  HaloMatrix<1> c(shape.pattern());
  HaloMatrixWrapper<HaloMatrix<1>> halo_c(c, beside);
  const auto op_c = halo_c.stencil_operator(beside);
  for (value_t* const dst : {to_a.lbegin(), to_a.lbegin() + 1, a.lbegin()}) {
    CHECK_THROWS_AS(stencil_for(std::tuple(first, field(halo_c, op_c, dst)), do_nothing),
                    dash::exception::InvalidArgument);
  }
}

TEST_CASE("an exception of the function of stencil_reduce is reported to all units") {
  const auto shape = line_of(4, BoundaryProp::CYCLIC);
  HaloMatrix<1> a(shape.pattern());
  HaloMatrix<1> b(shape.pattern());
  fill(a, 0);
  HaloMatrixWrapper<HaloMatrix<1>> halo(a, shape.bounds(), beside);
  const auto op = halo.stencil_operator(beside);
  const auto sum_of_ones = [&](bool fails) {
    return stencil_reduce(halo, op, b.lbegin(), value_t{0}, dash::plus<value_t>(),
                          [fails](const auto&, value_t&) -> value_t {
                            if (fails) throw std::domain_error("of the cell");
                            return 1;
                          });
  };
  if (dash::myid() == 0) {
    CHECK_THROWS_AS(sum_of_ones(true), std::domain_error);
  } else {
    CHECK_THROWS_AS(sum_of_ones(false), dash::exception::RuntimeError);
  }
  halo.wait();
  CHECK(sum_of_ones(false) == 4 * dash::size());
}

TEST_CASE("StencilLoop computes views, and leaves the other elements unchanged") {
  Random random(dash::test::seed());
  for (int round = 0; round < 6; ++round) {
    const auto shape = random_shape<2>(random, 2);
    const Star stencil = random_star(random);
    const auto box = random_view(random, shape, 2);
    INFO(describe(shape, stencil));
    HaloMatrix<2> a(shape.pattern());
    HaloMatrix<2> b(shape.pattern());
    HaloMatrix<2> expected(shape.pattern());
    fill(a, 0);
    fill(b, 1);
    fill(expected, 1);
    auto view_of = [&](HaloMatrix<2>& matrix) {
      return matrix.template sub<0>(box.offset(0), box.extent(0))
          .template sub<1>(box.offset(1), box.extent(1));
    };
    auto view_a = view_of(a);
    auto view_b = view_of(b);
    const WeightedSum<4> sum;
    StencilLoop loop(view_a, view_b, stencil);
    loop.step(sum);
    // Elements of the view that are not computed are copied.
    HaloMatrixWrapper<decltype(view_a)> halo(view_a, stencil);
    const auto op = halo.stencil_operator(stencil);
    const auto& pattern = a.pattern();
    for_each_coords<2>(pattern.local_extents(), [&](const HaloCoords<2>& local) {
      const auto global = pattern.global(local);
      bool is_in_view = true;
      for (int d = 0; d < 2; ++d) {
        const auto at = global[d] - box.offset(d);
        is_in_view =
            is_in_view && at >= 0 && at < static_cast<dash::default_index_t>(box.extent(d));
      }
      const auto position = pattern.local_at(local);
      if (is_in_view) expected.lbegin()[position] = a.lbegin()[position];
    });
    const auto base = op.local_memory() - a.lbegin();
    stencil_for(halo, op, expected.lbegin() + base, sum);
    CHECK(std::equal(b.lbegin(), b.lend(), expected.lbegin()));
    if (dash::size() == 1 && box.extent(0) > 2) {
      auto other = b.template sub<0>(box.offset(0), box.extent(0) - 1)
                       .template sub<1>(box.offset(1), box.extent(1));
      CHECK_THROWS_AS((StencilLoop(view_a, other, stencil)), dash::exception::InvalidArgument);
    }
  }
}

TEST_CASE("StencilLoop alternates between two matrices and keeps fixed borders") {
  Random random(dash::test::seed());
  for (int round = 0; round < 6; ++round) {
    const auto shape = random_shape<2>(random, 2);
    const Star stencil = random_star(random);
    INFO(describe(shape, stencil));
    HaloMatrix<2> a(shape.pattern());
    HaloMatrix<2> b(shape.pattern());
    StencilLoop loop(a, b, shape.bounds(), stencil);
    loop.set_custom_halos(beyond_border);
    fill(a, 0);
    CHECK(&loop.current() == &a);
    CHECK(&loop.next() == &b);
    SerialStencil<2> model(shape, 0);
    const WeightedSum<4> sum;
    loop.step(sum);
    CHECK(&loop.current() == &b);
    loop.steps(3, sum);
    loop.step_reduce(value_t{0}, dash::plus<value_t>(), [&](const auto& cell, value_t& element) {
      element = sum(cell);
      return element;
    });
    for (int step = 0; step < 5; ++step)
      model.step(stencil, 50);
    CHECK(&loop.current() == &b);
    int wrong = 0;
    const auto& pattern = b.pattern();
    for_each_coords<2>(pattern.local_extents(), [&](const HaloCoords<2>& local) {
      wrong += b.lbegin()[pattern.local_at(local)] == model[pattern.global(local)] ? 0 : 1;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("StencilLoop refuses unsuitable matrices, and an exception leaves it unchanged") {
  const auto shape = line_of(4, BoundaryProp::NONE);
  const auto longer = line_of(5, BoundaryProp::NONE);
  HaloMatrix<1> a(shape.pattern());
  HaloMatrix<1> b(shape.pattern());
  HaloMatrix<1> c(longer.pattern());
  using Loop = StencilLoop<HaloMatrix<1>, Pair>;
  CHECK_THROWS_AS(Loop(a, a, beside), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(Loop(a, c, beside), dash::exception::InvalidArgument);
  Loop loop(a, b, beside);
  fill(a, 0);
  const auto fail = [](const auto&) -> value_t { throw std::domain_error("of the cell"); };
  // Each block has an element that is computed.
  CHECK_THROWS_AS(loop.step(fail), std::domain_error);
  CHECK(&loop.current() == &a);
  loop.halo().wait();
  loop.step([](const auto& cell) { return cell(-1) + cell(1); });
  CHECK(b.lbegin()[1] == a.lbegin()[0] + a.lbegin()[2]);
}

}  // namespace
