// dash-test: parallel units=1,2,3,4,6,7 full-units=8 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "HaloModel.h"
#include "dash/Array.h"
#include "dash/dart/Access.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using namespace dash::halo;
using namespace dash::test;
using Catch::Matchers::ContainsSubstring;

using Line = HaloMatrix<1>;
using Plane = HaloMatrix<2>;

/// The text of the exception::InvalidArgument thrown when a wrapper is constructed.
template <typename MatrixT, typename... Args>
std::string refusal(MatrixT& matrix, const Args&... args) {
  try {
    HaloMatrixWrapper<MatrixT> wrapper(matrix, args...);
  } catch (const dash::exception::InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("a halo wider than the smallest block is rejected on all units") {
  const auto units = dash::size();
  Plane matrix(dash::BlockPattern<2>(dash::SizeSpec<2>(3 * units, 2)));
  const auto text = refusal(matrix, 3);
  CHECK_THAT(text, ContainsSubstring("width 3") && ContainsSubstring("dimension 1") &&
                       ContainsSubstring("extent 2"));
  // The last block is smaller than the others.
  Line line(dash::BlockPattern<1>(dash::SizeSpec<1>(4 * units - (units > 1 ? 1 : 0))));
  if (units > 1) {
    CHECK_THAT(refusal(line, 4), ContainsSubstring("width 4") && ContainsSubstring("extent 3"));
  }
  CHECK(refusal(line, 3) == "accepted");
  // All units have returned: a collective operation still works.
  dash::barrier();
}

TEST_CASE("a unit without elements is rejected on all units") {
  const auto units = dash::size();
  if (units < 3) DASH_SKIP("needs three units");
  // ceil(n / 2) blocks of 2 elements.
  Line line(dash::BlockPattern<1>(dash::SizeSpec<1>(units + 1)));
  const auto blocks = (units + 2) / 2;
  if (blocks == units) DASH_SKIP("each unit has elements");
  CHECK_THAT(refusal(line, 1),
             ContainsSubstring("one block on each unit") && ContainsSubstring("dimension 0"));
  dash::barrier();
}

TEST_CASE("a grid with fewer units than the team is rejected on all units") {
  const auto units = dash::size();
  if (units == 1) DASH_SKIP("needs two units");
  Line line(dash::BlockPattern<1>(dash::SizeSpec<1>(4 * units), dash::DistributionSpec<1>(),
                                  dash::TeamSpec<1>(units - 1), dash::Team::All()));
  CHECK_THAT(refusal(line, 1), ContainsSubstring("one block on each unit"));
  dash::barrier();
}

TEST_CASE("several blocks on a unit are rejected on all units") {
  Line line(dash::BlockPattern<1>(dash::SizeSpec<1>(8 * dash::size()),
                                  dash::DistributionSpec<1>(dash::BLOCKCYCLIC(2))));
  CHECK_THAT(refusal(line, 1), ContainsSubstring("one block on each unit"));
  dash::barrier();
}

TEST_CASE("blocks that are not owned in the order of the grid of units are rejected on all units") {
  if (dash::size() != 4) DASH_SKIP("needs four units");
  const dash::SizeSpec<2> size(8, 8);
  const dash::TeamSpec<2> units(2, 2);
  const dash::DistributionSpec<2> tiles(dash::TILE(4), dash::TILE(4));
  const auto refused = ContainsSubstring("in the order of the grid of units");
  using Shifted = dash::ShiftTilePattern<2>;
  dash::Matrix<value_t, 2, dash::default_index_t, Shifted> shifted(Shifted(size, tiles, units));
  CHECK_THAT(refusal(shifted, 1), refused);
  using Columns = dash::SeqTilePattern<2, dash::COL_MAJOR>;
  dash::Matrix<value_t, 2, dash::default_index_t, Columns> columns(Columns(size, tiles, units));
  CHECK_THAT(refusal(columns, 1), refused);
  // A grid that has only one order.
  dash::Matrix<value_t, 2, dash::default_index_t, Shifted> line(
      Shifted(dash::SizeSpec<2>(16, 4), tiles, dash::TeamSpec<2>(4, 1)));
  CHECK(refusal(line, 1) == "accepted");
}

TEST_CASE("blocks of different sizes are rejected on all units") {
  using Pattern = dash::CSRPattern<1>;
  using Matrix = dash::Matrix<value_t, 1, dash::default_index_t, Pattern>;
  const auto units = dash::size();
  std::vector<dash::default_size_t> sizes(units, 5);
  Matrix equal{Pattern(sizes)};
  CHECK(refusal(equal, 2) == "accepted");
  if (units == 1) DASH_SKIP("needs two units");
  sizes.front() = 3;
  Matrix matrix{Pattern(sizes)};
  CHECK_THAT(refusal(matrix, 2), ContainsSubstring("blocks of equal size"));
  dash::barrier();
}

TEST_CASE("different halos on different units are rejected on all units") {
  if (dash::size() == 1) DASH_SKIP("needs two units");
  Line line(dash::BlockPattern<1>(dash::SizeSpec<1>(8 * dash::size())));
  CHECK_THAT(refusal(line, dash::myid() == 0 ? 1 : 2), ContainsSubstring("different"));
  // An invalid width: the other units must not wait for the unit that passed it.
  CHECK_THAT(refusal(line, dash::myid() == 0 ? -1 : 2), ContainsSubstring("different"));
  CHECK(refusal(line, 2) == "accepted");
}

TEST_CASE("a stencil wider than the halo is rejected") {
  Plane matrix(dash::BlockPattern<2>(dash::SizeSpec<2>(4 * dash::size(), 4)));
  const StencilSpec<HaloPoint<2>, 1> narrow(HaloPoint<2>(-1, 0));
  const StencilSpec<HaloPoint<2>, 1> wide(HaloPoint<2>(-2, 0));
  const StencilSpec<HaloPoint<2>, 1> other(HaloPoint<2>(0, 1));
  HaloMatrixWrapper<Plane> wrapper(matrix, narrow);
  CHECK_NOTHROW(wrapper.stencil_operator(narrow));
  CHECK_THROWS_AS(wrapper.stencil_operator(wide), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(wrapper.stencil_operator(other), dash::exception::InvalidArgument);
  HaloMatrixWrapper<Plane> both(matrix, narrow, other);
  CHECK_NOTHROW(both.stencil_operator(narrow));
  CHECK_NOTHROW(both.stencil_operator(other));
}

/// Four cells per unit on a ring, with a stencil of the two neighbours.
struct Circle {
  Circle() { fill(matrix, 0); }

  Line matrix{dash::BlockPattern<1>(dash::SizeSpec<1>(4 * dash::size()))};
  decltype(StencilSpecFactory<HaloPoint<1>>::full_stencil_spec(1)) stencil =
      StencilSpecFactory<HaloPoint<1>>::full_stencil_spec(1);
  HaloMatrixWrapper<Line> wrapper{matrix, {BoundaryProp::CYCLIC}, stencil};
};

TEST_CASE("a halo that was never updated cannot be read; access waits for a pending update") {
  Circle circle;
  Line& matrix = circle.matrix;
  auto& wrapper = circle.wrapper;
  auto op = wrapper.stencil_operator(circle.stencil);
  auto it = op.boundary.begin();
  CHECK_THROWS_AS(it.value_at(0), dash::exception::RuntimeError);
  CHECK(it.value_at(1) == matrix.lbegin()[1]);
  CHECK_THROWS_WITH(wrapper.halo_element_at_local({-1}), ContainsSubstring("region 0") &&
                                                             ContainsSubstring("step 0") &&
                                                             ContainsSubstring("never started"));
  const auto beyond = matrix.pattern().global(HaloCoords<1>{3})[0] + 1;
  CHECK_THROWS_WITH(wrapper.halo_element_at_global({beyond}), ContainsSubstring("region 2"));
  wrapper.update_async();
  HaloShape<1> shape;
  shape.extents = {4 * dash::size()};
  shape.props = {BoundaryProp::CYCLIC};
  const auto left = matrix.pattern().global(HaloCoords<1>{0})[0] - 1;
  CHECK(it.value_at(0) == expected_halo<1>(shape, {left}, 0, 0));
  wrapper.wait();
}

TEST_CASE("single-region updates need prepare_update() and can be started once") {
  Line matrix(dash::BlockPattern<1>(dash::SizeSpec<1>(4 * dash::size())));
  HaloMatrixWrapper<Line> wrapper(matrix, {BoundaryProp::CYCLIC}, 1);
  wrapper.wait();  // no update is pending
  CHECK_THROWS_AS(wrapper.update_async_at(0), dash::exception::RuntimeError);
  wrapper.halo_env().prepare_update();
  CHECK_NOTHROW(wrapper.update_async_at(0));
  CHECK_THROWS_AS(wrapper.update_async_at(0), dash::exception::RuntimeError);
  CHECK_THROWS_AS(wrapper.update_async_at(3), dash::exception::OutOfRange);
  CHECK(wrapper.halo_env().test(3000));  // no unit sends it
  CHECK_NOTHROW(wrapper.update_at(2));
  wrapper.wait();
}

#ifdef DASH_ENABLE_ASSERTIONS
TEST_CASE("a region that was left out of an update cannot be read, even after test()") {
  Circle circle;
  Line& matrix = circle.matrix;
  auto& wrapper = circle.wrapper;
  auto op = wrapper.stencil_operator(circle.stencil);
  auto& env = wrapper.halo_env();
  env.prepare_update();
  env.update_async_at(2);
  wrapper.wait();
  while (!env.test(0)) {  // all neighbours send
  }
  CHECK(env.arrived(0));
  const auto region = ContainsSubstring("region 0");
  const auto never = ContainsSubstring("in step 1: its update was never started");
  const auto begin = op.boundary.begin();
  CHECK_THROWS_WITH(begin.value_at(0), region && never);
  CHECK_THROWS_WITH(wrapper.coordinate_access()[-1], region && never);
  CHECK_THROWS_WITH(wrapper.halo_element_at_local({-1}), region && never);
  CHECK_THROWS_WITH(
      wrapper.halo_element_at_global({matrix.pattern().global(HaloCoords<1>{0})[0] - 1}),
      region && never);
}
#endif

TEST_CASE("a unit may start one update more than the others") {
  Line line(dash::BlockPattern<1>(dash::SizeSpec<1>(4 * dash::size())));
  {
    HaloMatrixWrapper<Line> wrapper(line, {BoundaryProp::CYCLIC}, 1);
    wrapper.update();
    if (dash::myid() == 0) wrapper.update_async();
  }
  CHECK(refusal(line, 2) == "accepted");
}

TEST_CASE("a unit whose stack an exception unwinds does not block the others") {
  const auto own_stays = dash::myid() != 0;
  Line even(dash::BlockPattern<1>(dash::SizeSpec<1>(4 * dash::size())));
  Line odd(even.pattern());
  int steps = 0;
  try {
    HaloMatrixWrapper<Line> even_halo(even, {BoundaryProp::CYCLIC}, 1);
    HaloMatrixWrapper<Line> odd_halo(odd, {BoundaryProp::CYCLIC}, 1);
    for (; steps < 8; ++steps) {
      if (!own_stays && steps == 3) throw std::runtime_error("a unit has had enough");
      (steps % 2 == 0 ? even_halo : odd_halo).update();
    }
  } catch (const std::runtime_error& error) {
    CHECK_THAT(error.what(), ContainsSubstring("had enough"));
  }
  CHECK(steps == (own_stays ? 8 : 3));
  CHECK(refusal(even, 2) == "accepted");
}

TEST_CASE(
    "a halo that outlives another one released by an exception continues correctly or reports an "
    "error") {
  // The first two units release a halo of their team by an exception, after the third unit has
  // begun a step with them.
  if (dash::size() < 3) DASH_SKIP("needs three units");
  Line all(dash::BlockPattern<1>(dash::SizeSpec<1>(4 * dash::size())));
  HaloMatrixWrapper<Line> halo(all, {BoundaryProp::CYCLIC}, 1);
  halo.update();
  dash::Team& pairs = dash::Team::All().split(static_cast<unsigned>((dash::size() + 1) / 2));
  if (dash::myid() < 2 && pairs.size() == 2) {
    try {
      Line some(dash::BlockPattern<1>(dash::SizeSpec<1>(8),
                                      dash::DistributionSpec<1>(dash::BLOCKED),
                                      dash::TeamSpec<1>(pairs), pairs));
      HaloMatrixWrapper<Line> inner(some, {BoundaryProp::CYCLIC}, 1);
      inner.update();
      if (dash::myid() == 0) throw std::runtime_error("enough");
      // Waits until the other units have begun the next step and the first unit has followed.
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      throw std::runtime_error("enough");
    } catch (const std::runtime_error&) {
    }
  }
  // Either all units begin the step, or a unit that has followed others gets an error.
  const auto begun = [&] {
    try {
      halo.update_async();
      return true;
    } catch (const dash::exception::RuntimeError& error) {
      CHECK_THAT(error.what(), ContainsSubstring("step 2") && ContainsSubstring("sent zeros"));
      return false;
    }
  }();
  CHECK(halo.halo_env().step() == 2);
  if (dash::myid() > 1) CHECK(begun);
}

TEST_CASE("a wrapper may exist beyond finalize") {
  // Destroyed after main() has called finalize.
  static Line matrix(dash::BlockPattern<1>(dash::SizeSpec<1>(4 * dash::size())));
  static HaloMatrixWrapper<Line> wrapper(matrix, {BoundaryProp::CYCLIC}, 1);
  wrapper.update();
  wrapper.update_async();
}

TEST_CASE("a specification of a nonexistent region is rejected") {
  CHECK_THROWS_AS(HaloSpec<2>(RegionSpec<2>(9, 1)), dash::exception::InvalidArgument);
  CHECK_NOTHROW(HaloSpec<2>(RegionSpec<2>(8, 1)));
}

TEST_CASE("more regions between two units than streams between nodes are rejected on all units") {
  HaloShape<6> shape;
  shape.extents = {2 * dash::size(), 2, 2, 2, 2, 2};
  shape.units = {dash::size(), 1, 1, 1, 1, 1};
  shape.props.fill(BoundaryProp::CYCLIC);
  HaloMatrix<6> matrix(shape.pattern());
  dash::Array<int> words(dash::size());
  const auto last = words.begin() + (static_cast<dash::default_index_t>(dash::size()) - 1);
  const bool on_node = dash::dart::on_node_address(words.begin().dart_gptr(), 1) != nullptr &&
                       dash::dart::on_node_address(last.dart_gptr(), 1) != nullptr;
  // Two units are each other's neighbours on both sides.
  const auto text = refusal(matrix, shape.bounds(), 1);
  if (on_node || dash::size() != 2) {
    CHECK(text == "accepted");
  } else {
    CHECK_THAT(text, ContainsSubstring("729 regions") && ContainsSubstring("needs 486 streams"));
  }
  const StencilSpec<HaloPoint<6>, 2> star(HaloPoint<6>(-1, 0, 0, 0, 0, 0),
                                          HaloPoint<6>(1, 0, 0, 0, 0, 0));
  CHECK(refusal(matrix, shape.bounds(), star) == "accepted");
  dash::barrier();
}

TEST_CASE("negative and huge widths are rejected") {
  Line matrix(dash::BlockPattern<1>(dash::SizeSpec<1>(4 * dash::size())));
  CHECK_THAT(refusal(matrix, -1), ContainsSubstring("negative"));
  CHECK_THAT(refusal(matrix, 100000), ContainsSubstring("100000"));
  CHECK(refusal(matrix, 0) == "accepted");
}

}  // namespace
