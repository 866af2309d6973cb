// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/Collectives.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Async.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Signal.h"
#include "dash/Task.h"
#include "dash/algorithm/Copy.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

using dash::test::me;

namespace {

int units() {
  return static_cast<int>(dash::size());
}

/// Equal on all units.
std::mt19937 common_random() {
  return std::mt19937(dash::test::seed());
}
std::mt19937 own_random() {
  return std::mt19937(dash::test::seed() + 7U * static_cast<unsigned>(me()) + 1U);
}

void sleep_randomly(std::mt19937& random, int max_us = 300) {
  std::this_thread::sleep_for(
      std::chrono::microseconds(std::uniform_int_distribution(0, max_us)(random)));
}

long element(int unit, std::size_t i) {
  return 1000L * unit + static_cast<long>(i % 991);
}
std::vector<long> elements(int unit, std::size_t n) {
  std::vector<long> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = element(unit, i);
  return values;
}
std::vector<long> sums(std::size_t n) {
  std::vector<long> values(n);
  for (int unit = 0; unit < units(); ++unit) {
    for (std::size_t i = 0; i < n; ++i)
      values[i] += element(unit, i);
  }
  return values;
}

}  // namespace

TEST_CASE("Collectives of one value: correct results") {
  for (int root = 0; root < units(); ++root) {
    const dash::team_unit_t at(root);
    auto cast = dash::bcast_async(10 * me() + 3, at);
    auto sum = dash::allreduce_async(me() + 1, dash::plus<int>());
    auto most = dash::reduce_async(2.5 * me(), dash::max<double>(), at);
    auto all = dash::allgather_async(static_cast<short>(me() * me()));
    auto product = dash::allreduce_async(me() + 1L, [](long a, long b) { return a * b; });
    auto met = dash::barrier_async();
    CHECK(cast.get() == 10 * root + 3);
    CHECK(sum.get() == units() * (units() + 1) / 2);
    CHECK(most.get() == (me() == root ? 2.5 * (units() - 1) : 2.5 * me()));
    const std::vector<short> squares = all.get();
    REQUIRE(squares.size() == dash::size());
    bool same = true;
    for (int unit = 0; unit < units(); ++unit)
      same = same && squares[static_cast<std::size_t>(unit)] == unit * unit;
    CHECK(same);
    long factorial = 1;
    for (int unit = 1; unit <= units(); ++unit)
      factorial *= unit;
    CHECK(product.get() == factorial);
    met.get();
  }
}

TEST_CASE("Blocking reductions of native memory: correct results") {
  for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{5000}}) {
    const std::vector<long> mine = elements(me(), n);
    const std::vector<long> expected = sums(n);
    for (int root = 0; root < units(); ++root) {
      std::vector<long> result(n, -1);
      dash::reduce(mine.data(), result.data(), n, dash::plus<long>(), dash::team_unit_t(root));
      CHECK(result == (me() == root ? expected : std::vector<long>(n, -1)));
    }
    std::vector<long> in_place = mine;
    dash::reduce(in_place.data(), in_place.data(), static_cast<int>(n), dash::plus<long>(),
                 dash::team_unit_t(0), dash::Team::All());
    CHECK(in_place == (me() == 0 ? expected : mine));
    std::vector<long> all(n);
    dash::allreduce(mine.data(), all.data(), n, dash::plus<long>());
    CHECK(all == expected);
    dash::allreduce(mine.data(), all.data(), n, [](long a, long b) { return a + b; });
    CHECK(all == expected);
  }
  CHECK(dash::allreduce(me() + 1, dash::plus<int>()) == units() * (units() + 1) / 2);
  CHECK(dash::allreduce(1.0 * me(), [](double a, double b) { return a > b ? a : b; }) ==
        units() - 1);
  long value = 1;
  CHECK_THROWS_AS(dash::reduce(&value, &value, 1, dash::plus<long>(), dash::team_unit_t(units())),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::allreduce(1, dash::plus<int>(), dash::Team::Null()),
                  dash::exception::InvalidArgument);
}

TEST_CASE("Collectives of buffers of any size: the same results as the blocking ones") {
  auto random = own_random();
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{4096},
                              std::size_t{4097}, std::size_t{200'003}}) {
    CAPTURE(n);
    const dash::team_unit_t root(static_cast<int>(n % dash::size()));
    const std::vector<long> mine = elements(me(), n);
    std::vector<long> cast = mine;
    std::vector<long> sum(n, -1);
    std::vector<long> in_place = mine;
    std::vector<long> at_root(n, -1);
    std::vector<long> gathered(n * dash::size(), -1);
    sleep_randomly(random);
    auto a = dash::bcast_async(cast.data(), n, root);
    auto b = dash::allreduce_async(mine.data(), sum.data(), n, dash::plus<long>());
    sleep_randomly(random);
    auto c = dash::allreduce_async(in_place.data(), in_place.data(), n, dash::plus<long>());
    auto d = dash::reduce_async(mine.data(), at_root.data(), n, dash::plus<long>(), root);
    auto e = dash::allgather_async(mine.data(), gathered.data(), n);
    dash::when_all(std::move(a), std::move(b), std::move(c), std::move(d), std::move(e)).get();
    CHECK(cast == elements(root.id, n));
    CHECK(sum == sums(n));
    CHECK(in_place == sums(n));
    CHECK(at_root == (me() == root.id ? sums(n) : std::vector<long>(n, -1)));
    bool same = true;
    for (int unit = 0; unit < units(); ++unit) {
      const auto part = gathered.begin() + static_cast<std::ptrdiff_t>(n) * unit;
      same = same &&
             std::equal(part, part + static_cast<std::ptrdiff_t>(n), elements(unit, n).begin());
    }
    CHECK(same);
  }
}

TEST_CASE("1000 pending collectives with random delays: each has its own result") {
  auto random = own_random();
  const int n = 1000;
  std::vector<dash::Future<long>> futures;
  for (int i = 0; i < n; ++i) {
    if (i % 4 == 0) {
      futures.push_back(dash::bcast_async(100L * i + me(), dash::team_unit_t(i % units())));
    } else {
      futures.push_back(
          dash::allreduce_async(static_cast<long>(i) * (me() + 1), dash::plus<long>()));
    }
    if (i % 100 == 0) sleep_randomly(random);
  }
  const long all = units() * (units() + 1) / 2;
  int wrong = 0;
  // Waits in any order.
  for (int k = 0; k < n; ++k) {
    const int i = (k * 7) % n;
    const long expected = i % 4 == 0 ? 100L * i + i % units() : i * all;
    wrong += futures[static_cast<std::size_t>(i)].get() != expected ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("Non-blocking and blocking collectives, transfers and barriers, mixed at random") {
  auto common = common_random();
  auto own = own_random();
  std::vector<dash::Future<long>> futures;
  std::vector<long> expected;
  dash::Array<long> array(dash::size());
  const long all = units() * (units() + 1) / 2;
  for (long round = 1; round <= 120; ++round) {
    switch (std::uniform_int_distribution(0, 5)(common)) {
      case 0:
        dash::barrier();
        break;
      case 1: {
        long sum = 0;
        const long mine = round * (me() + 1);
        REQUIRE(dart_allreduce(&mine, &sum, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL) ==
                DART_OK);
        CHECK(sum == round * all);
        break;
      }
      case 2: {
        array.async[(me() + 1) % units()] = round;
        dash::barrier_async().get();
        CHECK(array.local[0] == round);
        dash::barrier_async().get();
        break;
      }
      default:
        futures.push_back(dash::allreduce_async(round * (me() + 1), dash::plus<long>()));
        expected.push_back(round * all);
    }
    if (std::uniform_int_distribution(0, 9)(own) == 0) sleep_randomly(own, 1000);
  }
  auto results = dash::when_all(std::move(futures)).get();
  bool same = true;
  for (std::size_t i = 0; i < expected.size(); ++i)
    same = same && results[i].get() == expected[i];
  CHECK(same);
  array.barrier();
}

TEST_CASE(
    "A barrier completes only after all units have entered, and does not block units that have") {
  if (dash::size() == 1) DASH_SKIP("needs two units");
  dash::Array<int> flags(dash::size());
  flags.local[0] = 0;
  dash::barrier();
  if (me() == 0) {
    // All other units have started it, as they notify by transfers; only unit 0 is missing.
    for (int unit = 1; unit < units(); ++unit) {
      while (flags[unit] == 0) {
      }
    }
    flags[0] = 1;
    auto met = dash::barrier_async();
    met.wait();
  } else {
    auto met = dash::barrier_async();
    CHECK_FALSE(met.test());
    flags[me()] = 1;
    while (!met.test()) {
    }
    CHECK(flags[0] == 1);
  }
  dash::barrier();
}

TEST_CASE("Data put before barrier_async is visible when it completes") {
  const auto part = 40'000;
  dash::Array<int> array(static_cast<std::size_t>(part) * dash::size());
  const std::vector<int> values(static_cast<std::size_t>(part), me() + 1);
  const auto right = (me() + 1) % units();
  { dash::copy_async(values.data(), values.data() + part, array.begin() + right * part); }
  auto met = dash::barrier_async();
  met.get();
  const int left = (me() + units() - 1) % units();
  CHECK(std::count(array.lbegin(), array.lend(), left + 1) == part);
  array.barrier();
}

namespace {

dash::Task<long> sum_of_sums(int rounds) {
  long total = 0;
  for (int round = 0; round < rounds; ++round)
    total += co_await dash::allreduce_async(long{round}, dash::plus<long>());
  co_return total;
}

}  // namespace

TEST_CASE("Collectives in then, when_all, co_await and tasks") {
  auto doubled = dash::allreduce_async(1, dash::plus<int>()).then([](int n) { return 2 * n; });
  CHECK(doubled.get() == 2 * units());
  CHECK(sum_of_sums(30).start().get() == 29L * 30 / 2 * units());
  auto in_task = dash::async([] {
    long total = 0;
    for (int round = 0; round < 30; ++round)
      total += dash::allreduce_async(1L, dash::plus<long>()).get();
    return total;
  });
  CHECK(in_task.get() == 30L * units());
  bool ran = false;
  auto after = dash::barrier_async().then([&] { ran = true; });
  after.get();
  CHECK(ran);
  // Dropped: the collective continues without its future.
  { dash::allreduce_async(1, dash::plus<int>()); }
  dash::barrier_async().get();
}

TEST_CASE("The examples of docs/explanation/collectives.md") {
  const auto n = 100;
  const dash::signal_t steps = 2;
  std::vector<double> row(static_cast<std::size_t>(n), me());
  double sum = 0;
  const auto use = [&](const double* first) { sum += std::accumulate(first, first + n, 0.0); };

  dash::Array<double> halo(2 * n * dash::size());  // two rows for each unit
  dash::SignalArray arrived(1);                    // one signal for each unit; collective
  const dash::team_unit_t right((dash::myid().id + 1) % static_cast<int>(dash::size()));

  for (dash::signal_t step = 1; step <= steps; ++step) {
    const auto out = halo.begin() + (2 * right.id + step % 2) * n;
    dash::put_signal(row.data(), row.data() + n, out, arrived(right), step);
    arrived[0].wait_until(step);  // the left neighbour's data has arrived
    use(halo.lbegin() + step % 2 * n);
  }
  CHECK(sum == 2.0 * n * ((me() + units() - 1) % units()));

  const double local_residual = me();
  const auto update_interior = [] {};
  auto residual = dash::allreduce_async(local_residual, dash::max<double>());
  update_interior();  // concurrently
  CHECK(residual.get() == units() - 1);
  halo.barrier();
}

TEST_CASE("Wrong arguments of collectives: errors") {
  CHECK_THROWS_AS(dash::bcast_async(1, dash::team_unit_t(units())),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::reduce_async(1, dash::plus<int>(), dash::team_unit_t(-1)),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::allreduce_async(1, dash::plus<int>(), dash::Team::Null()),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::bcast_async(static_cast<int*>(nullptr), 3, dash::team_unit_t(0)),
                  dash::exception::InvalidArgument);
  CHECK(dash::barrier_async(dash::Team::Null()).test());
  dash::barrier();
}
