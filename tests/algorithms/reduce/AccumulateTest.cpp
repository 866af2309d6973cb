// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <cstddef>
#include <functional>
#include <list>
#include <numeric>
#include <vector>

#include "dash/Array.h"
#include "dash/Atomic.h"
#include "dash/Exception.h"
#include "dash/ExecutionPolicy.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/Operation.h"
#include "dash/algorithm/Transform.h"
#include "support/Catch.h"
#include "support/OwnerCheck.h"
#include "support/Pick.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;
using dash::test::pick;
using dash::test::Random;

namespace {

const std::vector<dash::Distribution> distributions = {dash::BLOCKED, dash::CYCLIC,
                                                       dash::BLOCKCYCLIC(7)};

long units() {
  return static_cast<long>(dash::size());
}
long me() {
  return static_cast<long>(dash::myid());
}
/// The sum 1 + 2 + ... + number of units.
long sum_of_ranks() {
  return units() * (units() + 1) / 2;
}

}  // namespace

TEST_CASE("transform of native values on all units at the same time accumulates the sum") {
  for (const auto& distribution : distributions) {
    dash::Array<long> sums(600, distribution);
    dash::Array<double> floating(600, distribution);
    std::vector<long> values(500);
    for (int round = 0; round < 5; ++round) {
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = (me() + 1) * static_cast<long>(i);
      const auto end = dash::transform(values.begin(), values.end(), sums.begin() + 50,
                                       sums.begin() + 50, dash::plus<long>());
      CHECK(end == sums.begin() + 550);
      // Input of another type, from an iterator that is not contiguous.
      const std::list<int> ones(600, 1);
      dash::transform(ones.begin(), ones.end(), floating.begin(), floating.begin(),
                      dash::plus<double>());
    }
    dash::barrier();
    CHECK(count_wrong_local(sums, [](index_t i) {
            return i >= 50 && i < 550 ? 5 * sum_of_ranks() * (i - 50) : 0;
          }) == 0);
    CHECK(count_wrong_local(floating, [](index_t) { return 5.0 * static_cast<double>(units()); }) ==
          0);
    dash::barrier();
  }
}

TEST_CASE("transform of native values with each operation gives the result of the runtime") {
  dash::Array<int> array(40, dash::CYCLIC);
  const auto check = [&](int before, auto op, int value, auto expected) {
    dash::generate(array.begin(), array.end(), [before] { return before; });
    array.barrier();
    const std::vector<int> values(40, value);
    dash::transform(values.data(), values.data() + 40, array.begin(), array.begin(), op);
    dash::barrier();
    CHECK(count_wrong_local(array, [&](index_t) { return expected; }) == 0);
    dash::barrier();
  };
  const int own = static_cast<int>(me());
  const int largest = static_cast<int>(units()) - 1;
  check(-5, dash::max<int>(), own, largest);
  check(1000, dash::min<int>(), own, 0);
  check(0, dash::bit_or<int>(), 1 << own, (1 << units()) - 1);
  check(-1, dash::bit_and<int>(), ~(1 << own), ~((1 << units()) - 1));
  check(0, dash::bit_xor<int>(), 3, units() % 2 == 1 ? 3 : 0);
  check(1, dash::multiply<int>(), 2, 1 << units());
  check(7, dash::second<int>(), 9, 9);
  check(7, dash::first<int>(), 9, 7);
}

TEST_CASE("transform of native values with a function of the application applies each value once") {
  dash::Array<long> array(60, dash::BLOCKCYCLIC(4));
  std::vector<long> values(60, me() + 1);
  dash::transform(values.begin(), values.end(), array.begin(), array.begin(), std::plus<>());
  dash::transform(values.begin(), values.end(), array.begin(), array.begin(),
                  [](long a, long b) { return a + b; });
  dash::barrier();
  CHECK(count_wrong_local(array, [](index_t) { return 2 * sum_of_ranks(); }) == 0);
  dash::barrier();
  // The new value is the first argument, as in std::transform.
  if (me() == 0) {
    std::iota(values.begin(), values.end(), 1000L);
    dash::transform(values.begin(), values.end(), array.begin(), array.begin(), std::minus<>());
  }
  dash::barrier();
  CHECK(count_wrong_local(array, [](index_t i) { return 1000 + i - 2 * sum_of_ranks(); }) == 0);
  dash::barrier();
}

TEST_CASE("transform of native values with a second input accumulates the result") {
  dash::Array<long> b(9000, dash::CYCLIC);
  dash::Array<long> out(9000, dash::BLOCKED);
  dash::generate_with_index(b.begin(), b.end(), [](index_t i) { return i; });
  dash::generate(out.begin(), out.end(), [] { return 5L; });
  dash::barrier();
  const std::vector<int> a(9000, 100);
  dash::transform(a.begin(), a.end(), b.begin(), out.begin(), dash::plus<long>());
  dash::barrier();
  CHECK(count_wrong_local(out, [](index_t i) { return 5 + units() * (100 + i); }) == 0);
  dash::barrier();
}

TEST_CASE("transform of a global range into another accumulates the elements of each unit") {
  for (const auto& a_dist : distributions) {
    for (const auto& out_dist : distributions) {
      dash::Array<int> a(400, a_dist);
      dash::Array<long> out(500, out_dist);
      dash::generate_with_index(a.begin(), a.end(), [](index_t i) { return static_cast<int>(i); });
      dash::generate(out.begin(), out.end(), [] { return 1L; });
      dash::barrier();
      for (int round = 0; round < 3; ++round) {
        const auto end = dash::transform(a.begin() + 10, a.begin() + 310, out.begin() + 100,
                                         out.begin() + 100, dash::plus<long>());
        CHECK(end == out.begin() + 400);
      }
      dash::barrier();
      CHECK(count_wrong_local(
                out, [](index_t i) { return i >= 100 && i < 400 ? 1 + 3 * (i - 90) : 1; }) == 0);
      dash::barrier();
    }
  }
}

TEST_CASE("transform of boxes of matrices accumulates element by element") {
  dash::NArray<long, 2> a(20, 25, dash::BLOCKED, dash::CYCLIC);
  dash::Matrix<long, 2> out(20, 25);
  dash::generate_with_index(a.begin(), a.end(), [](index_t i) { return i; });
  dash::barrier();
  const auto from = a.sub<0>(1, 6).sub<1>(2, 9);
  const auto to = out.sub<0>(10, 6).sub<1>(15, 9);
  dash::transform(from.begin(), from.end(), to.begin(), to.begin(), dash::plus<long>());
  dash::transform(from.begin(), from.end(), to.begin(), to.begin(), dash::plus<long>());
  dash::barrier();
  if (dash::myid() == 0) {
    std::size_t wrong = 0;
    for (index_t row = 0; row < 20; ++row) {
      for (index_t col = 0; col < 25; ++col) {
        const bool inside = row >= 10 && row < 16 && col >= 15 && col < 24;
        const long expected = inside ? 2 * ((row - 9) * 25 + col - 13) : 0;
        wrong += static_cast<long>(out(row, col)) == expected ? 0 : 1;
      }
    }
    CHECK(wrong == 0);
  }
  dash::barrier();
}

TEST_CASE("transform with an explicit element type gives the same result") {
  dash::Array<int> array(50);
  dash::Array<int> other(50);
  const std::vector<int> ones(50, 1);
  dash::transform<int>(ones.begin(), ones.end(), array.begin(), array.begin(), dash::plus<int>());
  dash::transform<int>(&ones[0], &ones[0] + 50, array.begin(), array.begin(), dash::plus<int>());
  dash::barrier();
  dash::transform<int>(array.begin(), array.end(), other.begin(), other.begin(), dash::plus<int>());
  dash::barrier();
  CHECK(count_wrong_local(other, [](index_t) { return 2 * units(); }) == 0);
  dash::barrier();
}

TEST_CASE("transform through asynchronous references is visible after a flush") {
  dash::Array<int> array(30 * dash::size());
  dash::Array<int> b(30 * dash::size());
  dash::generate(b.begin(), b.end(), [] { return 10; });
  dash::barrier();
  const std::vector<int> ones(30 * dash::size(), 1);
  const auto end =
      dash::transform(ones.begin(), ones.end(), array.async[0], array.async[0], dash::plus<int>());
  CHECK(end.dart_gptr() == array.end().dart_gptr());
  dash::transform(ones.begin(), ones.begin() + 5, array.async[7], array.async[7], std::plus<>());
  dash::transform(ones.begin(), ones.begin() + 5, b.async[20], array.async[20], dash::plus<int>());
  array.flush();
  dash::barrier();
  CHECK(count_wrong_local(array, [](index_t i) {
          const long more = i >= 7 && i < 12 ? 1 : i >= 20 && i < 25 ? 11 : 0;
          return units() * (1 + more);
        }) == 0);
  dash::barrier();
}

TEST_CASE("transform as a task, and of atomic elements") {
  dash::Array<dash::Atomic<long>> array(100, dash::CYCLIC);
  const std::vector<long> values(100, 3);
  auto done = dash::transform_async(values.begin(), values.end(), array.begin(), array.begin(),
                                    dash::plus<long>());
  array[5].add(1);
  CHECK(done.get() == array.end());
  dash::Array<long> a(100);
  dash::generate(a.begin(), a.end(), [] { return 4L; });
  dash::barrier();
  auto of_global =
      dash::transform_async(a.begin(), a.end(), array.begin(), array.begin(), dash::plus<long>());
  CHECK(of_global.get() == array.end());
  dash::barrier();
  for (index_t i = me(); i < 100; i += units())
    CHECK(array[i].load() == 3 * units() + 4 + (i == 5 ? units() : 0));
  dash::barrier();
}

TEST_CASE("transform at random positions gives the result of plain memory") {
  Random random(dash::test::seed());
  for (int round = 0; round < 20; ++round) {
    const auto size = pick(random, 1, 300);
    const auto& distribution = distributions[static_cast<std::size_t>(pick(random, 0, 2))];
    dash::Array<unsigned> array(static_cast<std::size_t>(size), distribution);
    std::vector<unsigned> expected(static_cast<std::size_t>(size));
    // All units use the same random numbers, so each unit knows the values that all units add.
    for (long unit = 0; unit < units(); ++unit) {
      const auto begin = pick(random, 0, size - 1);
      const auto length = pick(random, 0, size - begin);
      std::vector<unsigned> values(static_cast<std::size_t>(length));
      for (auto& value : values)
        value = static_cast<unsigned>(pick(random, 0, 1000));
      for (std::size_t i = 0; i < values.size(); ++i)
        expected[static_cast<std::size_t>(begin) + i] += values[i];
      if (unit == me()) {
        dash::transform(values.begin(), values.end(), array.begin() + begin, array.begin() + begin,
                        dash::plus<unsigned>());
      }
    }
    dash::barrier();
    CHECK(count_wrong_local(array,
                            [&](index_t i) { return expected[static_cast<std::size_t>(i)]; }) == 0);
    dash::barrier();
  }
}

TEST_CASE("transform beyond the end throws") {
  dash::Array<int> array(10 * dash::size());
  const std::vector<int> values(11, 1);
  const auto last = dash::GlobPtr<int>((array.end() - 1).dart_gptr());
  CHECK_THROWS_AS(dash::transform(values.begin(), values.end(), last, last, dash::plus<int>()),
                  dash::exception::InvalidArgument);
  const std::vector<int> none;
  CHECK(dash::transform(none.begin(), none.end(), array.begin(), array.begin(),
                        dash::plus<int>()) == array.begin());
  dash::barrier();
}

TEST_CASE(
    "transform that accumulates can be called by a single unit, with any policy and "
    "asynchronously") {
  dash::Array<long> sums(100, dash::CYCLIC);
  dash::Array<long> own(100, dash::CYCLIC);
  const std::vector<long> values(100, 3);
  dash::generate(own.begin(), own.end(), [] { return 5L; });
  dash::barrier();
  if (me() == 0) {
    const auto add = [&](const auto& policy) {
      const auto end = dash::transform(policy, values.begin(), values.end(), sums.begin(),
                                       sums.begin(), dash::plus<long>());
      CHECK(end == sums.end());
      auto later = dash::transform_async(policy, values.begin(), values.end(), sums.begin(),
                                         sums.begin(), dash::plus<long>());
      CHECK(later.get() == sums.end());
    };
    add(dash::seq);
    add(dash::par_node);
  }
  // With a global input, each unit adds its own elements without waiting for the others.
  if (me() == units() - 1) {
    dash::transform(dash::par_node, own, sums.begin(), sums.begin(), dash::plus<long>());
    auto later = dash::transform_async(own, sums.begin(), sums.begin(), dash::plus<long>());
    CHECK(later.get() == sums.end());
  }
  dash::barrier();
  CHECK(count_wrong_local(
            sums, [](index_t i) { return 12 + (i % units() == units() - 1 ? 10 : 0); }) == 0);
  dash::barrier();
}
