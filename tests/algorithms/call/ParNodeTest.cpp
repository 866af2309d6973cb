// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/algorithm/Bcast.h"
#include "dash/algorithm/Count.h"
#include "dash/algorithm/Fill.h"
#include "dash/algorithm/ForEach.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/Iota.h"
#include "dash/algorithm/MinMax.h"
#include "dash/algorithm/MinMaxElement.h"
#include "dash/algorithm/Reduce.h"
#include "dash/algorithm/Replace.h"
#include "dash/algorithm/TransformReduce.h"
#include "dash/async/Executor.h"
#include "dash/util/TeamLocality.h"
#include "support/Catch.h"
#include "support/Runner.h"

using index_t = dash::default_index_t;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A generator with a different seed on each unit.
std::mt19937& unit_random() {
  static std::mt19937 random(dash::test::seed() + static_cast<unsigned>(dash::myid().id));
  return random;
}

void sleep_us(int us) {
  std::this_thread::sleep_for(std::chrono::microseconds(us));
}
void sleep_at_random(int max_us) {
  if (unit_random()() % 2 == 0)
    sleep_us(static_cast<int>(unit_random()() % static_cast<unsigned>(max_us)));
}

/// Whether the caller can access the memory of another unit of the team.
bool has_neighbours(const dash::Team& team) {
  const auto on_node = dash::internal::units_in_scope(team, dash::util::Locality::Scope::Node);
  return std::count(on_node.begin(), on_node.end(), true) > 1;
}

template <class Container>
void number(Container& container) {
  container.barrier();
  dash::generate_with_index(container.begin(), container.end(), [](index_t i) { return i; });
  container.barrier();
}

/// The unit that has processed an element, and how often it was processed.
struct ProcessedElement {
  std::int32_t unit;
  std::int32_t times;
};

/// An algorithm that throws on one unit before its work begins.
struct ThrowsBeforeWork {
  static constexpr auto name = "dash::a test";

  template <class Policy, class GlobIt>
  void operator()(dash::internal::Call& call, const Policy& policy, const GlobIt& first,
                  const GlobIt& last) const {
    call.run([&] {
      if (dash::myid() == 0) throw std::runtime_error("failed before its work");
      dash::internal::run_parts(call, policy, first, last, [](const auto&) {});
    });
  }
};

}  // namespace

TEST_CASE("par_node shares the expensive elements of one unit among the units of its node") {
  dash::Array<ProcessedElement> array(60 * dash::size());
  dash::fill(array.begin(), array.end(), ProcessedElement{-1, 0});
  array.barrier();
  dash::for_each_with_index(dash::par_node, array.begin(), array.end(),
                            [](ProcessedElement& element, index_t index) {
                              if (index < 60) sleep_us(2000);
                              element.unit = dash::myid().id;
                              ++element.times;
                            });
  const bool by_others =
      std::any_of(array.lbegin(), array.lend(),
                  [](const ProcessedElement& element) { return element.unit != dash::myid().id; });
  CHECK(std::all_of(array.lbegin(), array.lend(),
                    [](const ProcessedElement& element) { return element.times == 1; }));
  if (dash::myid() == 0) CHECK(by_others == has_neighbours(dash::Team::All()));
  if (!has_neighbours(dash::Team::All())) CHECK(!by_others);
  array.barrier();
}

TEST_CASE("par_node shares the elements of a loaded unit that calls late") {
  dash::Array<ProcessedElement> array(60 * dash::size());
  dash::fill(array.begin(), array.end(), ProcessedElement{-1, 0});
  array.barrier();
  if (dash::myid() == 0) sleep_us(50'000);
  dash::for_each(dash::par_node, array.begin(), array.end(), [&](ProcessedElement& element) {
    if (&element >= array.lbegin() && &element < array.lend() && dash::myid() == 0) sleep_us(2000);
    element.unit = dash::myid().id;
    ++element.times;
  });
  CHECK(std::all_of(array.lbegin(), array.lend(),
                    [](const ProcessedElement& element) { return element.times == 1; }));
  const bool by_others =
      std::any_of(array.lbegin(), array.lend(),
                  [](const ProcessedElement& element) { return element.unit != dash::myid().id; });
  if (dash::myid() == 0) CHECK(by_others == has_neighbours(dash::Team::All()));
  array.barrier();
}

TEST_CASE("par_node calls in sequence, with units that call at different times") {
  dash::Array<index_t> array(300, dash::BLOCKCYCLIC(7));
  dash::Array<index_t> other(64 * dash::size());
  dash::fill(dash::par_node, array, 0);
  dash::fill(dash::par_node, other, 1);
  index_t sum = 0;
  for (index_t round = 1; round <= 60; ++round) {
    sleep_at_random(300);
    dash::for_each_with_index(dash::par_node, array, [&](index_t& element, index_t index) {
      if (index % 50 == round % 50) sleep_us(100);
      element += round;
    });
    sum += 300 * round;
    sleep_at_random(300);
    const auto found = dash::reduce(dash::par_node, array, index_t{0}, [&](index_t a, index_t b) {
      if ((a + b) % 97 == round) sleep_us(50);
      return a + b;
    });
    REQUIRE(found == sum);
    REQUIRE(dash::reduce(dash::par_node, other, index_t{0}) == static_cast<index_t>(other.size()));
  }
  array.barrier();
}

TEST_CASE("par_node in two teams, and as tasks") {
  dash::Team& part = dash::Team::All().split(2);
  dash::Team& team = part.is_null() ? dash::Team::All() : part;
  dash::Array<index_t> of_all(500);
  dash::Array<index_t> of_part(200, dash::BLOCKED, team);
  for (index_t round = 0; round < 20; ++round) {
    sleep_at_random(200);
    dash::fill(dash::par_node, of_part, round);
    dash::fill(dash::par_node, of_all, 2 * round);
    CHECK(dash::reduce(dash::par_node, of_part, index_t{0}) == 200 * round);
    auto later = dash::reduce_async(dash::par_node, of_all, index_t{0});
    CHECK(dash::reduce(dash::par_node, of_all, index_t{0}) == 1000 * round);
    auto smallest = dash::min_element_async(dash::par_node, of_part);
    CHECK(later.get() == 1000 * round);
    CHECK(smallest.get() == of_part.begin());
    of_all.barrier();
  }
}

TEST_CASE(
    "par_node with a function that throws, on the owner or on another unit, throws on all units") {
  dash::Array<index_t> array(200 * dash::size());
  for (int round = 0; round < 10; ++round) {
    number(array);
    const auto bad = static_cast<index_t>(array.size()) * round / 10;
    const auto fails = [&](index_t& element) {
      if (element % 40 == 0) sleep_us(100);
      if (element == bad) throw std::runtime_error("no good: " + std::to_string(element));
    };
    CHECK_THROWS_WITH(dash::for_each(dash::par_node, array, fails),
                      ContainsSubstring("dash::for_each") &&
                          ContainsSubstring("no good: " + std::to_string(bad)));
    const auto fails_too = [&](index_t a, index_t b) {
      if (a == bad || b == bad) throw std::runtime_error("no sum");
      return std::max(a, b);
    };
    CHECK_THROWS_WITH(dash::reduce(dash::par_node, array, index_t{0}, fails_too),
                      ContainsSubstring("dash::reduce") && ContainsSubstring("no sum"));
    CHECK(dash::max_element(dash::par_node, array) == array.end() - 1);
    array.barrier();
  }
}

TEST_CASE("par_node ignores incomplete results of a unit that failed with another unit's chunk") {
  constexpr index_t length = 400;
  dash::Array<index_t> array(static_cast<std::size_t>(length) * dash::size());
  dash::Array<int> has_failed(dash::size());
  int is_helped = has_neighbours(dash::Team::All()) ? 1 : 0;
  dash::broadcast(&is_helped, &is_helped + 1, dash::team_unit_t(0));
  // Only for elements of unit 0. The first call leaves results in memory that the second call must
  // not use.
  const auto number_with = [&](index_t value) {
    dash::generate_with_index(array.begin(), array.end(),
                              [&](index_t i) { return i < length ? value : 0; });
    array.barrier();
  };
  number_with(1'000'000);
  const auto add = [](index_t a, index_t b) { return a + b; };
  CHECK(dash::reduce(dash::par_node, array, index_t{0}, add) == length * 1'000'000);
  number_with(1);
  const std::atomic_ref<int> failed(has_failed.local[0]);
  std::atomic<bool> sees_old_results{false};
  const auto fails_elsewhere = [&](index_t a, index_t b) {
    if (a + b > length) sees_old_results = true;
    if (is_helped != 0 && a + b > 0 && dash::myid() != 0) {
      has_failed[0] = 1;
      throw std::runtime_error("not here");
    }
    for (int ms = 0; is_helped != 0 && a + b > 0 && failed == 0 && ms < 20'000; ++ms)
      sleep_us(1000);
    return a + b;
  };
  if (is_helped != 0) {
    CHECK_THROWS_WITH(dash::reduce(dash::par_node, array, index_t{0}, fails_elsewhere),
                      ContainsSubstring("not here"));
  } else {
    CHECK(dash::reduce(dash::par_node, array, index_t{0}, fails_elsewhere) == length);
  }
  CHECK_FALSE(sees_old_results);
  array.barrier();
}

TEST_CASE(
    "par_node of counting, searching and replacing algorithms gives the standard library's "
    "results") {
  dash::Array<index_t> array(1000, dash::BLOCKCYCLIC(30));
  std::vector<index_t> model(1000);
  for (std::size_t i = 0; i < model.size(); ++i)
    model[i] = static_cast<index_t>((i * 7919) % 500);
  dash::generate_with_index(array.begin(), array.end(),
                            [&](index_t i) { return model[static_cast<std::size_t>(i)]; });
  array.barrier();
  // The elements of the first block are expensive.
  const auto is_even = [](index_t value) {
    if (value % 100 < 10) sleep_us(20);
    return value % 2 == 0;
  };
  CHECK(dash::count_if(dash::par_node, array, is_even) ==
        std::count_if(model.begin(), model.end(), [](index_t value) { return value % 2 == 0; }));
  CHECK(dash::transform_reduce(dash::par_node, array, index_t{5}, std::plus<>(), [](index_t value) {
          return value * value;
        }) == std::inner_product(model.begin(), model.end(), model.begin(), index_t{5}));
  const auto [min, max] = dash::minmax_element(dash::par_node, array);
  const auto [model_min, model_max] = std::minmax_element(model.begin(), model.end());
  CHECK(min - array.begin() == model_min - model.begin());
  CHECK(max - array.begin() == model_max - model.begin());
  dash::replace_if(dash::par_node, array, is_even, index_t{-1});
  CHECK(dash::count(dash::par_node, array, index_t{-1}) ==
        std::count_if(model.begin(), model.end(), [](index_t value) { return value % 2 == 0; }));
  dash::iota(dash::par_node, array, index_t{3});
  CHECK(dash::reduce(dash::par_node, array, index_t{0}) == 1000 * 999 / 2 + 3000);
  array.barrier();
}

TEST_CASE("par_node does not wait for a unit that fails before its work begins") {
  dash::Array<index_t> array(100 * dash::size());
  for (int round = 0; round < 3; ++round) {
    CHECK_THROWS_WITH(
        dash::internal::call(ThrowsBeforeWork{}, dash::par_node, array.begin(), array.end()),
        ContainsSubstring("unit 0") && ContainsSubstring("failed before its work"));
    CHECK(dash::reduce(dash::par_node, array, index_t{1}) == 1);
  }
  array.barrier();
}

TEST_CASE("floating-point results are bitwise equal with any policy and number of workers") {
  const int workers = dash::exec::executor_workers();
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{77}, std::size_t{4000}, std::size_t{100'003}}) {
    dash::Array<double> array(size, dash::BLOCKCYCLIC(1000));
    std::mt19937_64 random(dash::test::seed());
    std::vector<double> values(size);
    for (double& value : values)
      value = std::uniform_real_distribution<double>(-1e6, 1e6)(random);
    dash::generate_with_index(array.begin(), array.end(),
                              [&](index_t i) { return values[static_cast<std::size_t>(i)]; });
    array.barrier();
    const auto sums = [&](const auto& policy) {
      return std::vector<double>{
          dash::reduce(policy, array, 0.0), dash::reduce(policy, array, 0.0, std::plus<>()),
          dash::reduce(policy, array, 1.0, [](double a, double b) { return a + b; }),
          dash::reduce(policy, array, 1.0, dash::min<double>()), *dash::min_element(policy, array)};
    };
    const auto expected = sums(dash::seq);
    CHECK(expected[0] == Approx(std::accumulate(values.begin(), values.end(), 0.0)).margin(1e-3));
    CHECK(expected[2] == Approx(expected[0] + 1).margin(1e-3));
    CHECK(expected[4] == *std::min_element(values.begin(), values.end()));
    for (const int number : {1, 2, 3}) {
      dash::exec::set_executor_workers(number);
      for (int round = 0; round < 3; ++round) {
        CHECK(std::memcmp(sums(dash::par).data(), expected.data(), 40) == 0);
        CHECK(std::memcmp(sums(dash::par_unseq).data(), expected.data(), 40) == 0);
        CHECK(std::memcmp(sums(dash::par_node).data(), expected.data(), 40) == 0);
      }
    }
    dash::exec::set_executor_workers(workers);
    array.barrier();
  }
}

TEST_CASE("par_node with several workers per unit processes each element once") {
  const int workers = dash::exec::executor_workers();
  dash::exec::set_executor_workers(2);
  dash::Array<ProcessedElement> array(500 * dash::size());
  dash::fill(dash::par_node, array, ProcessedElement{-1, 0});
  for (int round = 1; round <= 10; ++round) {
    dash::for_each_with_index(dash::par_node, array, [](ProcessedElement& element, index_t index) {
      if (index < 50) sleep_us(100);
      ++element.times;
    });
    CHECK(std::all_of(array.lbegin(), array.lend(),
                      [&](const ProcessedElement& element) { return element.times == round; }));
    array.barrier();
  }
  dash::exec::set_executor_workers(workers);
}
