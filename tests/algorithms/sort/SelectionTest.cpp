// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/Histogram.h"
#include "dash/algorithm/IsSorted.h"
#include "dash/algorithm/NthElement.h"
#include "dash/async/Executor.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace {

/// Checks the range after nth_element().
void check_partitioned(const std::vector<int>& found, std::vector<int> model, std::size_t nth) {
  REQUIRE(found.size() == model.size());
  std::vector<int> sorted = found;
  std::sort(sorted.begin(), sorted.end());
  std::sort(model.begin(), model.end());
  CHECK(sorted == model);
  CHECK(found[nth] == model[nth]);
  const auto split = found.begin() + static_cast<std::ptrdiff_t>(nth);
  CHECK(std::all_of(found.begin(), split, [&](int value) { return value <= *split; }));
  CHECK(std::all_of(split, found.end(), [&](int value) { return value >= *split; }));
}

}  // namespace

TEST_CASE("nth_element partitions the range like std::nth_element, in every distribution") {
  for (const int most : {0, 5, 1 << 30}) {
    const std::vector<int> values = signed_values(3000, most);
    for_each_range(values, [&](auto& array, index_t begin, index_t end) {
      if (begin == end) return;
      const index_t nth = std::uniform_int_distribution<index_t>(begin, end - 1)(common_random());
      const std::vector<int> model(values.begin() + begin, values.begin() + end);
      const auto value =
          dash::nth_element(array.begin() + begin, array.begin() + nth, array.begin() + end);
      const auto found = values_of(array.begin() + begin, array.begin() + end);
      REQUIRE(value.has_value());
      CHECK(*value == found[static_cast<std::size_t>(nth - begin)]);
      check_partitioned(found, model, static_cast<std::size_t>(nth - begin));
    });
  }
}

TEST_CASE(
    "nth_element of many elements takes several rounds, with several workers and with few distinct "
    "values") {
  const int workers = dash::exec::executor_workers();
  const std::size_t size = 60000;
  dash::Array<int> array(size);
  for (const int nworkers : {workers, 3}) {
    dash::exec::set_executor_workers(nworkers);
    for (const int most : {1, 300, 1 << 30}) {
      const std::vector<int> values = signed_values(size, most);
      for (const std::size_t nth : {std::size_t{0}, size / 2, size - 1}) {
        if (nworkers != workers && nth != size / 2) continue;  // to save time
        assign(array.begin(), values);
        dash::nth_element(array.begin(), array.begin() + static_cast<index_t>(nth), array.end());
        INFO("values up to " << most << ", element " << nth);
        check_partitioned(values_of(array.begin(), array.end()), values, nth);
      }
    }
  }
  dash::exec::set_executor_workers(workers);
}

TEST_CASE(
    "nth_element overloads with keys and comparisons, for the end and for positions outside") {
  dash::NArray<int, 2> matrix(20, 30);
  std::vector<int> values = signed_values(600, 1 << 20);
  assign(matrix.begin(), values);
  std::sort(values.begin(), values.end());
  const auto nth = matrix.begin() + 100;
  CHECK(dash::nth_element(matrix, nth).value() == values[100]);
  CHECK(dash::nth_element(dash::seq, matrix, nth, std::greater<int>()).value() == values[499]);
  CHECK(dash::nth_element(dash::par, matrix.begin(), nth, matrix.end(), [](int value) {
          return -0.5 * value;
        }).value() == values[499]);
  CHECK(dash::nth_element_async(matrix, nth).get().value() == values[100]);
  CHECK_FALSE(dash::nth_element(matrix.begin(), matrix.end(), matrix.end()).has_value());
  CHECK_THROWS_AS(dash::nth_element(nth, matrix.begin(), matrix.end()),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_WITH(dash::nth_element(matrix.begin(), nth, matrix.begin() + 20),
                    Catch::Matchers::ContainsSubstring("position 100 of the range") &&
                        Catch::Matchers::ContainsSubstring("0 to 20"));
  const auto part = dash::make_range(matrix.begin() + 10, matrix.begin() + 20);
  CHECK_THROWS_AS(dash::nth_element(part, matrix.begin() + 21), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::nth_element(part, matrix.begin() + 9), dash::exception::InvalidArgument);
  CHECK_FALSE(dash::nth_element(dash::par, part, matrix.begin() + 20).has_value());
  matrix.barrier();
}

TEST_CASE("is_sorted finds a single unordered pair at any position") {
  for (const auto& distribution : {dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(7)}) {
    dash::Array<int> array(50, distribution);
    std::vector<int> values(50);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<int>(i) / 2;
    assign(array.begin(), values);
    CHECK(dash::is_sorted(array.begin(), array.end()));
    CHECK(dash::is_sorted(dash::seq, array, std::less<int>()));
    CHECK(dash::is_sorted_async(array).get());
    CHECK(dash::is_sorted(std::as_const(array)));
    CHECK_FALSE(dash::is_sorted(array, std::greater<int>()));
    CHECK(dash::is_sorted(array.begin() + 2, array.begin() + 2));
    for (std::size_t i = 1; i < values.size(); i += 4) {
      std::vector<int> wrong = values;
      wrong[i] = -1;
      assign(array.begin(), wrong);
      CHECK_FALSE(dash::is_sorted(array));
      CHECK(dash::is_sorted(array.begin() + static_cast<index_t>(i), array.end()));
    }
    array.barrier();
  }
}

TEST_CASE(
    "histogram by a function, by edges and by equal widths counts the elements of all units") {
  const std::vector<int> values = signed_values(3000, 50);
  for_each_range(values, [&](auto& array, index_t begin, index_t end) {
    const auto count = [&](auto predicate) {
      return static_cast<std::size_t>(
          std::count_if(values.begin() + begin, values.begin() + end, predicate));
    };
    const auto first = array.begin() + begin;
    const auto last = array.begin() + end;
    const auto by_digit = dash::histogram(first, last, 10, [](int value) { return value; });
    const std::vector<double> edges{-20, -0.5, -0.5, 10, 50};
    const auto by_edges = dash::histogram(first, last, edges);
    const auto by_width = dash::histogram(first, last, 4, -20, 20);
    REQUIRE(by_digit.size() == 10);
    REQUIRE(by_edges.size() == 4);
    REQUIRE(by_width.size() == 4);
    for (int i = 0; i < 10; ++i)
      CHECK(by_digit[static_cast<std::size_t>(i)] == count([i](int value) { return value == i; }));
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(by_edges[i] ==
            count([&](int value) { return value >= edges[i] && value < edges[i + 1]; }));
      const int low = -20 + 10 * static_cast<int>(i);
      CHECK(by_width[i] == count([low](int value) { return value >= low && value < low + 10; }));
    }
    CHECK(dash::histogram_async(dash::seq, first, last, edges).get() == by_edges);
    array.barrier();
  });
}

TEST_CASE("histogram ignores NaN, and throws for invalid bins") {
  dash::Array<double> array(4 * dash::size());
  for (index_t i = 0; i < 4; ++i)
    array.local[i] = i == 0 ? std::nan("") : static_cast<double>(i);
  array.barrier();
  CHECK(dash::histogram(array, 3UL, 0.0, 3.0) ==
        std::vector<std::size_t>{0, dash::size(), dash::size()});
  CHECK(dash::histogram(dash::par, array, std::vector<double>{0, 10}) ==
        std::vector<std::size_t>{3 * dash::size()});
  CHECK_THROWS_AS(dash::histogram(array.begin(), array.end(), 0, 0.0, 3.0),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::histogram(array.begin(), array.end(), 5, 3.0, 3.0),
                  dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::histogram(array.begin(), array.end(), std::vector<double>{1}),
                  dash::exception::InvalidArgument);
  array.barrier();
}

TEST_CASE("an exception of a function on one unit is thrown on all units by each algorithm") {
  dash::Array<int> array(50000);
  std::fill(array.lbegin(), array.lend(), dash::myid().id);
  array.barrier();
  const auto thrower = static_cast<int>(dash::size()) - 1;
  const auto fails = [thrower](auto result) {
    return [thrower, result](const auto&... elements) {
      if (dash::myid() == thrower) throw std::runtime_error("not here");
      if constexpr (sizeof...(elements) == 2) {
        return static_cast<bool>((... < elements));
      } else {
        return result;
      }
    };
  };
  const auto two = [&fails](int a, int b) { return fails(true)(a, b); };
  const auto one = [&fails](int a) { return fails(0)(a); };
  const auto check = [thrower](const auto& form) {
    std::string text;
    try {
      form();
    } catch (const dash::exception::RuntimeError& error) {
      text = error.what();
    }
    CHECK(text.find("unit " + std::to_string(thrower)) != std::string::npos);
    CHECK(text.find("not here") != std::string::npos);
  };
  const auto begin = array.begin();
  const auto end = array.end();
  check([&] { dash::nth_element(begin, begin + 10, end, two); });
  check([&] { dash::is_sorted(begin, end, two); });
  check([&] { dash::histogram(begin, end, 5, one); });
  check([&] { dash::histogram_async(array, 5UL, one).get(); });
  array.barrier();
}

TEST_CASE("reordering algorithms on empty ranges have no effect") {
  const auto any = [](int) { return true; };
  dash::Array<int> none;
  CHECK(dash::is_sorted(none.begin(), none.end()));
  CHECK_FALSE(dash::nth_element(none.begin(), none.begin(), none.end()).has_value());
  CHECK(dash::histogram(none.begin(), none.end(), 2, any) == std::vector<std::size_t>{0, 0});
  dash::barrier();
}
