// dash-test: parallel units=1,2,3 full-units=4,7,8 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "HaloModel.h"
#include "dash/Array.h"
#include "dash/Future.h"
#include "dash/Signal.h"
#include "dash/Task.h"
#include "dash/dart/Placement.h"
#include "dash/halo/exchange/HaloFields.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

using namespace dash::halo;
using namespace dash::test;
using Catch::Matchers::ContainsSubstring;

using Plane = HaloMatrix<2>;
using Halo = HaloMatrixWrapper<Plane>;

/// Blocks of rows, CYCLIC in both dimensions.
HaloShape<2> rows(std::size_t nrows, std::size_t columns) {
  HaloShape<2> shape;
  shape.units = {dash::size(), 1};
  shape.extents = {nrows * dash::size(), columns};
  shape.props = {BoundaryProp::CYCLIC, BoundaryProp::CYCLIC};
  return shape;
}

/// Number of elements of a region that differ from those of a step.
int count_wrong(Halo& halo, const HaloShape<2>& shape, region_index_t region, int step) {
  int wrong = 0;
  const auto& env = halo.halo_block().block_env();
  const auto* element = halo.halo_env().halo_memory().first_element_at(region);
  dash::halo::internal::for_each_row<dash::ROW_MAJOR>(
      env.halo_box(region), [&](const auto& row, std::ptrdiff_t length) {
        for (std::ptrdiff_t i = 0; i < length; ++i) {
          const HaloCoords<2> global{row[0] + env.offsets()[0], row[1] + i + env.offsets()[1]};
          wrong += *element++ == expected_halo<2>(shape, global, step, 0) ? 0 : 1;
        }
      });
  return wrong;
}

int count_wrong(Halo& halo, const HaloShape<2>& shape, int step) {
  int wrong = 0;
  for (region_index_t region = 0; region < 9; ++region) {
    if (region != 4) wrong += count_wrong(halo, shape, region, step);
  }
  return wrong;
}

dash::team_unit_t neighbour(int distance) {
  const int n = static_cast<int>(dash::size());
  return dash::team_unit_t(((dash::myid().id + distance) % n + n) % n);
}

bool on_one_node() {
  return dash::dart::placement().nodes == 1;
}

dash::Task<int> await_twice(Halo& halo, const HaloShape<2>& shape, Plane& matrix) {
  int wrong = 0;
  for (int step = 1; step <= 2; ++step) {
    fill(matrix, step);
    auto update = halo.update_async();
    const auto region = co_await update.region(1);
    wrong += region == 1 ? count_wrong(halo, shape, 1, step) : 1;
    co_await update;
    wrong += count_wrong(halo, shape, step);
  }
  co_return wrong;
}

TEST_CASE("the future of a region is ready when its elements have arrived, in any order") {
  Random own(dash::test::seed() + static_cast<unsigned>(dash::myid().id));
  // In the cache line of the signal, separately, and by the copy queue.
  const std::size_t columns = GENERATE(3, 100, 20000);
  const auto shape = rows(3, columns);
  Plane matrix(shape.pattern());
  Halo halo(matrix, shape.bounds(), 2);
  for (int step = 0; step < 8; ++step) {
    fill(matrix, step);
    const HaloUpdate update = halo.update_async();
    CHECK(update.valid());
    CHECK(update.step() == static_cast<std::uint64_t>(step) + 1);
    if (own.below(3) == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    const auto first = static_cast<region_index_t>(own.below(9));
    for (region_index_t i = 0; i < 9; ++i) {
      const region_index_t region = (first + i) % 9;
      auto future = update.region(region);
      REQUIRE(future.get() == region);
      if (region != 4) REQUIRE(count_wrong(halo, shape, region, step) == 0);
    }
    update.sent().get();
    update.all().get();
    CHECK(update.test());
  }
}

TEST_CASE("continuations of a region run when it has arrived, even without a wait") {
  const auto shape = rows(3, 40);
  Plane matrix(shape.pattern());
  Halo halo(matrix, shape.bounds(), 1);
  for (int step = 0; step < 5; ++step) {
    fill(matrix, step);
    auto update = halo.update_async();
    std::vector<dash::Future<int>> parts;
    for (region_index_t region = 0; region < 9; ++region) {
      if (region == 4) continue;
      parts.push_back(update.region(region).then(
          [&, step](region_index_t r) { return count_wrong(halo, shape, r, step); }));
    }
    auto all = dash::when_all(std::move(parts));
    for (auto& part : all.get())
      REQUIRE(part.get() == 0);
    int total = -1;
    update.then([&] { total = count_wrong(halo, shape, step); }).get();
    REQUIRE(total == 0);
  }
}

dash::Task<int> await_fields(Halo& first, Halo& second, const HaloShape<2>& shape) {
  const auto update = update_async(first, second);
  co_await update;
  co_return count_wrong(first, shape, 3) + count_wrong(second, shape, 4);
}

TEST_CASE("coroutines wait for regions, for updates and for those of several fields") {
  const auto shape = rows(3, 40);
  Plane matrix(shape.pattern());
  Plane other(shape.pattern());
  Halo halo(matrix, shape.bounds(), 1);
  Halo second(other, shape.bounds(), 1);
  CHECK(await_twice(halo, shape, matrix).start().get() == 0);
  fill(matrix, 3);
  fill(other, 4);
  CHECK(await_fields(halo, second, shape).start().get() == 0);
  CHECK_FALSE(HaloFieldsUpdate<2>({HaloUpdate(), HaloUpdate()}).valid());
}

TEST_CASE("an update starts before any neighbour has started it") {
  // A blocking start would deadlock: in each step, one unit begins first, and the others begin only
  // when it signals that it has begun.
  const auto shape = rows(3, 30);
  Plane matrix(shape.pattern());
  Halo halo(matrix, shape.bounds(), 1);
  // One signal for each unit: the signals of two units at a third may arrive in any order.
  dash::SignalArray begun(dash::size());
  for (int step = 0; step < 2 * static_cast<int>(dash::size()); ++step) {
    fill(matrix, step);
    const auto value = static_cast<dash::signal_t>(step + 1);
    const auto first = static_cast<std::size_t>(step) % dash::size();
    if (static_cast<std::size_t>(dash::myid().id) == first) {
      halo.update_async();
      for (std::size_t unit = 0; unit < dash::size(); ++unit)
        begun(dash::team_unit_t(static_cast<int>(unit)), first).set(value);
    } else {
      begun[first].wait_until(value);
      halo.update_async();
    }
    halo.wait();
    REQUIRE(count_wrong(halo, shape, step) == 0);
  }
}

/// Units send in one direction only, and the first unit begins a step before the others have begun
/// the previous one.
void check_one_way(std::size_t block) {
  HaloShape<1> shape;
  shape.units = {dash::size()};
  shape.extents = {block * dash::size()};
  using Line = HaloMatrix<1>;
  Line matrix(shape.pattern());
  // Data is sent to higher units only.
  const auto width = static_cast<dash::halo::spoint_value_t>(block > 1000 ? 20000 : 2);
  HaloMatrixWrapper<Line> halo(matrix, StencilSpec<HaloPoint<1>, 1>(HaloPoint<1>(-width)));
  dash::SignalArray begun(1);
  const bool first = dash::myid().id == 0;
  for (int step = 0; step < 6; step += 2) {
    if (first) {
      fill(matrix, 0);
      halo.update_async();
      halo.wait();
      dash::Future<void> second = halo.update_async();
      for (std::size_t unit = 1; unit < dash::size(); ++unit)
        begun(dash::team_unit_t(static_cast<int>(unit))).set(static_cast<dash::signal_t>(step + 1));
      second.get();
    } else {
      begun[0].wait_until(static_cast<dash::signal_t>(step + 1));
      for (int i = 0; i < 2; ++i) {
        fill(matrix, 0);
        halo.update();
        const auto start = matrix.pattern().global(HaloCoords<1>{0})[0];
        REQUIRE(*halo.halo_element_at_local({-1}) == value_at<1>({start - 1}, 0));
        REQUIRE(*halo.halo_element_at_local({-width}) == value_at<1>({start - width}, 0));
      }
    }
  }
}

TEST_CASE(
    "a unit that only sends may begin a step before its neighbour has begun the previous one") {
  check_one_way(4);
}

TEST_CASE(
    "a unit that only sends may be a step ahead even if large messages wait for the receiver") {
  // Between nodes, the source of a large message is free only when the receiver has received it.
  if (!on_one_node()) DASH_SKIP("needs all units on one node");
  check_one_way(40000);
}

TEST_CASE("updates of several fields start together") {
  const auto shape = rows(3, 40);
  Plane a(shape.pattern());
  Plane b(shape.pattern());
  dash::NArray<float, 2> c(shape.pattern());
  Halo halo_a(a, shape.bounds(), 1);
  Halo halo_b(b, shape.bounds(), 2);
  HaloMatrixWrapper<dash::NArray<float, 2>> halo_c(c, shape.bounds(), 1);
  for (int step = 0; step < 6; ++step) {
    fill(a, step);
    fill(b, 100 + step);
    for (auto* element = c.lbegin(); element != c.lend(); ++element)
      *element = static_cast<float>(1000 * step + dash::myid().id);
    if (step % 2 == 0) {
      const auto update = update_async(halo_a, halo_b, halo_c);
      CHECK(update.size() == 3);
      update.region(7).get();
      CHECK(count_wrong(halo_a, shape, 7, step) == 0);
      CHECK(count_wrong(halo_b, shape, 7, 100 + step) == 0);
      update[1].all().get();
      CHECK(count_wrong(halo_b, shape, 100 + step) == 0);
      dash::Future<void> all = update;
      all.get();
      CHECK(update.valid());
      CHECK(update.test());
      int total = -1;
      update.then([&] { total = count_wrong(halo_a, shape, step); }).get();
      CHECK(total == 0);
      update.sent().get();
    } else {
      update(halo_a, halo_b, halo_c);
    }
    CHECK(count_wrong(halo_a, shape, step) == 0);
    CHECK(count_wrong(halo_b, shape, 100 + step) == 0);
    CHECK(*halo_c.halo_element_at_local({-1, 0}) ==
          static_cast<float>(1000 * step + neighbour(-1).id));
  }
}

TEST_CASE("futures outlive the next update; those of an old update cannot be obtained") {
  const auto shape = rows(3, 40);
  Plane matrix(shape.pattern());
  Halo halo(matrix, shape.bounds(), 1);
  const auto first = halo.update_async();
  auto south = first.region(7);
  auto all = first.all();
  halo.wait();
  const auto second = halo.update_async();
  CHECK(south.get() == 7);
  CHECK_NOTHROW(all.get());
  CHECK_THROWS_AS(first.region(7), dash::exception::RuntimeError);
  CHECK_THROWS_AS(second.region(9), dash::exception::OutOfRange);
  CHECK_NOTHROW(first.wait());
  CHECK(first.test());
  CHECK_THROWS_AS(HaloUpdate().all(), dash::exception::RuntimeError);
  second.wait();
  auto dropped = halo.update_async().region(1);
  static_cast<void>(dropped);
}

TEST_CASE(
    "a region that was left out of an update has no future, whether or not its data has "
    "arrived") {
  HaloShape<2> shape = rows(3, 4);
  shape.props[0] = BoundaryProp::CYCLIC;
  Plane matrix(shape.pattern());
  Halo halo(matrix, shape.bounds(), 1);
  const auto refused = [&](const HaloUpdate& update) {
    CHECK_THROWS_WITH(update.region(7), ContainsSubstring("region 7") &&
                                            ContainsSubstring("step") &&
                                            ContainsSubstring("its update was never started"));
  };
  for (int step = 0; step < 10; ++step) {
    fill(matrix, step);
    halo.halo_env().prepare_update();
    const auto update = halo.update_async_at(1);
    refused(update);
    dash::barrier();
    while (!halo.halo_env().test(7)) {  // all neighbours send
    }
    refused(update);
    halo.update_async_at(7);
    CHECK(update.region(7).get() == 7);
    CHECK(halo.halo_element_at_local({3, 0}) != nullptr);
    halo.wait();
  }
}

#ifdef DASH_ENABLE_ASSERTIONS
TEST_CASE(
    "a region that was left out of an update cannot be read, the error names region and step") {
  const auto shape = rows(3, 4);
  Plane matrix(shape.pattern());
  Halo halo(matrix, shape.bounds(), 1);
  fill(matrix, 0);
  halo.update();
  halo.halo_env().prepare_update();
  halo.update_async_at(1);
  std::string text;
  try {
    halo.halo_element_at_local({3, 0});
  } catch (const dash::exception::RuntimeError& error) {
    text = error.what();
  }
  CHECK_THAT(text, ContainsSubstring("region 7") && ContainsSubstring("step 2") &&
                       ContainsSubstring("never started"));
  CHECK(halo.halo_element_at_local({-1, 0}) != nullptr);
  halo.wait();
  halo.update();
  CHECK(halo.halo_element_at_local({3, 0}) != nullptr);
}
#endif

}  // namespace
