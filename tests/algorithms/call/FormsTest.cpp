// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <atomic>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "dash/Array.h"
#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/View.h"
#include "dash/WhenAll.h"
#include "dash/algorithm/Fill.h"
#include "dash/algorithm/ForEach.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/MinMax.h"
#include "dash/algorithm/Reduce.h"
#include "dash/algorithm/Transform.h"
#include "support/Catch.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;
using Catch::Matchers::ContainsSubstring;

namespace {

template <class F>
void for_each_policy(F f) {
  f(dash::seq);
  f(dash::par);
  f(dash::par_unseq);
  f(dash::par_node);
}

long sum_to(long n) {
  return n * (n - 1) / 2;
}

}  // namespace

TEST_CASE("generate and for_each_with_index as tasks give the results of the synchronous calls") {
  dash::Array<long> array(1000, dash::CYCLIC);
  dash::generate_async(array, [] { return 7L; }).get();
  array.barrier();
  dash::for_each_with_index_async(dash::seq, array, [](long& x, index_t i) { x += i; }).get();
  CHECK(dash::reduce(array, 0L) == 7 * 1000 + sum_to(1000));
}

TEST_CASE("an algorithm gives the same result with each policy, by iterators and by a range") {
  constexpr long n = 50000;
  dash::Array<long> array(n, dash::BLOCKCYCLIC(1000));
  dash::Array<long> twice(n, dash::BLOCKCYCLIC(1000));
  for_each_policy([&](const auto& policy) {
    dash::fill(policy, array, -1);
    dash::generate_with_index(policy, array.begin() + 1, array.end(), [](index_t i) { return i; });
    dash::for_each(policy, array.begin(), array.begin() + 1, [](long& x) { ++x; });
    CHECK(dash::reduce(policy, array, 0L) == sum_to(n));
    CHECK(dash::reduce(policy, array.begin(), array.end(), 5L, dash::max<long>()) == n - 1);
    CHECK(dash::transform(policy, array, twice.begin(), [](long x) { return 2 * x; }) ==
          twice.end());
    CHECK(dash::reduce(policy, twice, 0L) == 2 * sum_to(n));
    CHECK(dash::transform(policy, array.begin(), array.end(), twice.begin(), twice.begin(),
                          std::minus<>()) == twice.end());
    CHECK(dash::reduce(policy, twice, 0L) == -sum_to(n));
    CHECK(dash::max_element(policy, array) == array.end() - 1);
    CHECK(dash::min_element(policy, array, std::greater<>()) == array.end() - 1);
    CHECK(dash::min_element(policy, array.begin() + 7, array.end()) == array.begin() + 7);
    array.barrier();
  });
  dash::for_each_with_index(array, [](long& x, index_t i) { x -= i; });
  CHECK(dash::reduce(array, 0L) == 0);
  dash::generate(array, [] { return 3L; });
  CHECK(dash::reduce(array, 0L) == 3 * n);
  CHECK(dash::reduce(array | dash::sub(10, 20), 0L) == 30);
  array.barrier();
}

TEST_CASE("generate without a policy calls one function object in order") {
  dash::Array<int> array(100 * dash::size(), dash::BLOCKCYCLIC(7));
  int calls = 0;
  dash::generate(array.begin(), array.end(), [&calls] { return calls++; });
  std::vector<int> expected(array.lsize());
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(std::vector<int>(array.lbegin(), array.lend()) == expected);
  array.barrier();
}

TEST_CASE("algorithms as tasks run in the order in which they were started") {
  dash::Array<long> array(3000, dash::CYCLIC);
  std::vector<dash::Future<long>> sums;
  for (long round = 1; round <= 20; ++round) {
    dash::for_each_async(array, [](long& x) { x += 1; });
    sums.push_back(dash::reduce_async(dash::par, array.begin(), array.end(), 0L));
  }
  for (long round = 1; round <= 20; ++round)
    CHECK(sums[static_cast<std::size_t>(round - 1)].get() == 3000 * round);
  CHECK(dash::reduce(array, 0L) == 60000);
  array.barrier();
}

TEST_CASE("algorithms as tasks run concurrently with collectives of the caller") {
  dash::Array<long> array(1000);
  auto filled = dash::fill_async(array.begin(), array.end(), 2);
  filled.wait();
  auto sum = dash::reduce_async(array, 0L);
  array.barrier();
  auto largest = dash::allreduce_async(long{dash::myid()}, dash::max<long>());
  auto first = dash::min_element_async(array.begin(), array.end());
  CHECK(dash::reduce(array.begin(), array.end(), 1L) == 2001);
  dash::barrier();
  CHECK(largest.get() == static_cast<long>(dash::size()) - 1);
  CHECK(first.get() == array.begin());
  CHECK(sum.get() == 2000);
  auto both = dash::when_all(dash::reduce_async(array, 0L), dash::reduce_async(array, 1L));
  both.get();
  auto next = dash::reduce_async(array, 3L).then([](long value) { return value * 2; });
  CHECK(next.get() == 4006);
  array.barrier();
}

TEST_CASE("transform as a task returns the end of the output") {
  dash::Array<int> in(777, dash::CYCLIC);
  dash::Array<long> out(777, dash::BLOCKED);
  dash::generate_with_index_async(in, [](index_t i) { return static_cast<int>(i); }).wait();
  in.barrier();
  auto end = dash::transform_async(in, out.begin(), [](int x) { return 10L * x; });
  CHECK(end.get() == out.end());
  CHECK(out[776] == 7760);
  out.barrier();
}

TEST_CASE(
    "an algorithm as a task that fails on one unit fails on all units, and the next one succeeds") {
  dash::Array<int> array(10 * dash::size());
  const int thrower = static_cast<int>(dash::size()) / 2;
  auto failing = dash::for_each_async(array, [thrower](int&) {
    if (dash::myid() == thrower) throw std::runtime_error("no such color");
  });
  auto sum = dash::reduce_async(array, 7);
  CHECK_THROWS_WITH(failing.get(), ContainsSubstring("dash::for_each") &&
                                       ContainsSubstring("no such color") &&
                                       ContainsSubstring("unit " + std::to_string(thrower)));
  CHECK(sum.get() == 7);
  const auto less = [thrower](int, int) -> bool {
    if (dash::myid() == thrower) throw std::runtime_error("cannot compare");
    return false;
  };
  CHECK_THROWS_WITH(dash::min_element(array.begin(), array.end(), less),
                    ContainsSubstring("dash::min_element") && ContainsSubstring("cannot compare"));
  array.barrier();
}

TEST_CASE("algorithms as tasks of sub-teams are ordered per team") {
  if (dash::size() < 2) DASH_SKIP("one unit has no sub-teams");
  dash::Team& part = dash::Team::All().split(2);
  dash::Array<long> all(900);
  dash::fill(all, 1);
  all.barrier();
  {
    dash::Array<long> own(300, dash::BLOCKED, part);
    dash::fill(own, 2);
    own.barrier();
    // The other sub-team starts the tasks in the opposite order.
    if (part.position() == 0) {
      auto of_part = dash::reduce_async(own, 0L);
      auto of_all = dash::reduce_async(all, 0L);
      CHECK(of_part.get() == 600);
      CHECK(of_all.get() == 900);
    } else {
      auto of_part = dash::reduce_async(own, 0L);
      CHECK(of_part.get() == 600);
      CHECK(dash::reduce_async(all, 0L).get() == 900);
    }
    own.barrier();
  }
  all.barrier();
}

TEST_CASE(
    "algorithms as tasks without a waiting caller are finished when their team is destroyed") {
  std::atomic<int> calls{0};
  dash::Array<int> array(dash::size());
  {
    dash::Team& part = dash::Team::All().split(2);
    const dash::Team owner = std::move(part);
    const dash::Team& team = owner.is_null() ? dash::Team::All() : owner;
    for (int i = 0; i < 5; ++i) {
      dash::internal::start_collectively(team, "a test", [&calls](dash::internal::Call& call) {
        call.barrier();
        ++calls;
      });
    }
    if (owner.is_null()) dash::reduce_async(array, 0).wait();
  }
  CHECK(calls == 5);
  array.barrier();
}

TEST_CASE("algorithms as tasks throw in a team without units") {
  CHECK_THROWS_AS(dash::internal::start_collectively(dash::Team::Null(), "a test",
                                                     [](dash::internal::Call&) {}),
                  dash::exception::InvalidArgument);
}
