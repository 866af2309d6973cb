// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Matrix.h"
#include "dash/algorithm/AdjacentDifference.h"
#include "dash/algorithm/Fill.h"
#include "dash/algorithm/Iota.h"
#include "dash/algorithm/MinMaxElement.h"
#include "dash/algorithm/Reduce.h"
#include "dash/algorithm/Replace.h"
#include "dash/algorithm/TransformReduce.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Workers.h"

using Catch::Matchers::ContainsSubstring;

namespace {

/// Checks reductions of one range, and of two ranges of the same length.
template <class A, class B>
void check_sums(const A& a, const A& a_last, const B& b) {
  const auto size = static_cast<std::size_t>(a_last - a);
  const auto model = random_values<int>(size, 1000);
  const auto other = random_values<int>(size, 1000);
  assign(a, model);
  assign(b, other);
  CHECK(dash::transform_reduce(a, a_last, b, 3L) ==
        std::inner_product(model.begin(), model.end(), other.begin(), 3L));
  const auto twice = [](int value) { return 2L * value; };
  CHECK(dash::transform_reduce(a, a_last, -1L, std::plus<>(), twice) ==
        std::transform_reduce(model.begin(), model.end(), -1L, std::plus<>(), twice));
  const auto [min, max] = std::minmax_element(model.begin(), model.end());
  const auto both = dash::minmax_element(a, a_last);
  CHECK(both.first - a == min - model.begin());
  CHECK(both.second - a == max - model.begin());
  a.team().barrier();
}

}  // namespace

TEST_CASE(
    "sums of one and of two ranges give the standard library's results for each pair of "
    "distributions") {
  for (const auto& from : distributions()) {
    dash::Array<int> other(320, from);
    for_each_array<int>(300, [&](const auto& first, const auto& last) {
      check_sums(first, last, other.begin());
      check_sums(first, last, other.begin() + 20);
    });
  }
}

TEST_CASE("sums of matrices, boxes and strided views with arrays") {
  dash::Array<int> array(300, dash::BLOCKCYCLIC(7));
  for_each_matrix<int>(
      [&](const auto& first, const auto& last) { check_sums(first, last, array.begin() + 4); });
}

TEST_CASE("sums with native memory, and with a second range that is longer than the first") {
  const auto model = random_values<int>(100, 9);
  dash::Array<int> longer(100, dash::CYCLIC);
  dash::Array<int> shorter(60, dash::BLOCKED);
  assign(longer.begin(), model);
  assign(shorter.begin(), std::vector<int>(model.begin(), model.begin() + 60));
  CHECK(dash::inner_product(longer.begin(), longer.end(), model.begin(), 0L) ==
        std::inner_product(model.begin(), model.end(), model.begin(), 0L));
  CHECK(dash::inner_product(dash::seq, shorter, longer, 1L, std::plus<>(), std::minus<>()) == 1);
  longer.barrier();
}

TEST_CASE(
    "transform_reduce of floating-point numbers is bitwise equal with any policy and workers") {
  constexpr std::size_t n = 200000;
  dash::Array<double> a(n);
  dash::Array<double> b(n, dash::BLOCKCYCLIC(777));
  dash::iota(a, 1.0);
  dash::iota(b, 0.5);
  const auto invert = [](double x) { return 1 / x; };
  const double product = dash::transform_reduce(a, b, 0.25);
  const double sum = dash::transform_reduce(a, 0.25, std::plus<>(), invert);
  CHECK(sum == Approx(13.0333));
  for_each_policy([&](const auto& policy) {
    CHECK(dash::transform_reduce(policy, a, b, 0.25) == product);
    CHECK(dash::transform_reduce(policy, a, 0.25, std::plus<>(), invert) == sum);
  });
  a.barrier();
}

TEST_CASE("minmax_element of equal elements returns the first and the last") {
  for (const auto& distribution : distributions()) {
    dash::Array<int> array(50, distribution);
    std::fill(array.lbegin(), array.lend(), 4);
    array.barrier();
    CHECK(dash::minmax_element(array) == std::pair(array.begin(), array.end() - 1));
    CHECK(dash::minmax_element(array.begin(), array.begin()) ==
          std::pair(array.begin(), array.begin()));
    array.barrier();
  }
}

TEST_CASE("iota, replace, replace_if and adjacent_difference give the standard library's results") {
  const auto check = [](const auto& first, const auto& last, const auto& out) {
    std::vector<int> model(static_cast<std::size_t>(last - first));
    std::iota(model.begin(), model.end(), -7);
    dash::iota(first, last, -7);
    CHECK(values_of(first, last) == model);

    model = random_values<int>(model.size(), 5);
    assign(first, model);
    dash::replace(first, last, 3, 30);
    std::replace(model.begin(), model.end(), 3, 30);
    const auto is_small = [](int value) { return value < 3; };
    dash::replace_if(dash::seq, first, last, is_small, -1);
    std::replace_if(model.begin(), model.end(), is_small, -1);
    CHECK(values_of(first, last) == model);

    std::vector<int> differences(model.size());
    std::adjacent_difference(model.begin(), model.end(), differences.begin());
    const auto out_last = dash::adjacent_difference(first, last, out);
    CHECK(out_last - out == last - first);
    CHECK(values_of(out, out_last) == differences);
  };
  for (const auto& to : distributions()) {
    dash::Array<int> out(300, to);
    for_each_array<int>(
        300, [&](const auto& first, const auto& last) { check(first, last, out.begin()); });
  }
  dash::Array<int> out(300);
  for_each_matrix<int>(
      [&](const auto& first, const auto& last) { check(first, last, out.begin()); });
}

TEST_CASE(
    "adjacent_difference of ranges with equal distributions gives the standard library's results") {
  const auto check = [](const auto& first, const auto& last, const auto& out) {
    const auto model = random_values<int>(static_cast<std::size_t>(last - first), 1000);
    std::vector<int> differences(model.size());
    std::adjacent_difference(model.begin(), model.end(), differences.begin());
    assign(first, model);
    CHECK(dash::adjacent_difference(first, last, out) - out == last - first);
    CHECK(differing(out, differences) == 0);
  };
  const Workers three(3);
  dash::Array<int> in(30000);
  dash::Array<int> out(30000);
  check(in.begin(), in.end(), out.begin());
  check(in.begin() + 7, in.end() - 20000, out.begin() + 7);
  // Separate rows for each unit, and boxes of them, which are not contiguous in memory.
  dash::NArray<int, 2> rows(5 * dash::size(), 11);
  dash::NArray<int, 2> others(5 * dash::size(), 11);
  check(rows.begin(), rows.end(), others.begin());
  const auto box = rows.sub<1>(2, 6);
  check(box.begin(), box.end(), others.sub<1>(2, 6).begin());
}

TEST_CASE("reductions and modifications as tasks, with each overload") {
  dash::Array<int> a(500, dash::CYCLIC);
  dash::Array<int> b(500, dash::BLOCKCYCLIC(9));
  auto first = dash::iota_async(a, 1);
  auto second = dash::iota_async(dash::seq, b.begin(), b.end(), 1);
  auto sum = dash::transform_reduce_async(a, 0L, std::plus<>(), [](int x) { return x; });
  auto product = dash::inner_product_async(a.begin(), a.end(), b.begin(), 0L);
  auto both = dash::minmax_element_async(dash::seq, b);
  auto replaced = dash::replace_if_async(
      a, [](int x) { return x > 100; }, 0);
  auto again = dash::replace_async(a, 0, 7);
  auto differences = dash::adjacent_difference_async(a, b);
  CHECK(differences.get() == b.end());
  CHECK(b[100].get() == 7 - 100);
  CHECK(sum.get() == 500 * 501 / 2);
  CHECK(product.get() == 500L * 501 * 1001 / 6);
  CHECK(both.get() == std::pair(b.begin(), b.end() - 1));
  a.barrier();
}

TEST_CASE("functions that throw on one unit while units' values are combined throw on all units") {
  // One element per unit, so that functions are not called before units are combined.
  dash::Array<int> a(dash::size());
  dash::fill(a, 1);
  a.barrier();
  if (dash::size() < 2) DASH_SKIP("needs two units");
  const auto last = static_cast<int>(dash::size()) - 1;
  const auto fail = [last] {
    if (dash::myid() == last) throw std::runtime_error("not here");
  };
  const auto less = [fail](int x, int y) {
    fail();
    return x < y;
  };
  const auto sum = [fail](int x, int y) {
    fail();
    return x + y;
  };
  const auto unit = ContainsSubstring("unit " + std::to_string(last));
  const auto text = ContainsSubstring("not here");
  CHECK_THROWS_WITH(dash::reduce(a, 0, sum), unit && text);
  CHECK_THROWS_WITH(dash::reduce(a.lbegin(), a.lend(), 0, sum), unit && text);
  CHECK_THROWS_WITH(dash::min_element(a, less), unit && text);
  CHECK_THROWS_WITH(dash::max_element_async(a, less).get(), unit && text);
  CHECK_THROWS_WITH(dash::minmax_element(a, less), unit && text);
  CHECK_THROWS_WITH(dash::transform_reduce(a, 0, sum, [](int x) { return x; }), unit && text);
  // No unit is still in one of the calls.
  CHECK(dash::reduce(a, 0) == static_cast<int>(dash::size()));
  a.barrier();
}

TEST_CASE("sums whose function throws on one unit throw on all units with its id") {
  dash::Array<int> a(20 * dash::size());
  dash::Array<int> b(20 * dash::size(), dash::CYCLIC);
  const auto last = static_cast<int>(dash::size()) - 1;
  const auto fails = [last](int, int) -> bool {
    if (dash::myid() == last) throw std::runtime_error("not comparable");
    return true;
  };
  const auto unit = ContainsSubstring("unit " + std::to_string(last));
  const auto text = ContainsSubstring("not comparable");
  CHECK_THROWS_WITH(dash::minmax_element(a, fails), unit && text);
  CHECK_THROWS_WITH(dash::transform_reduce(a, b, 0, std::plus<>(), fails), unit && text);
  CHECK_THROWS_WITH(dash::adjacent_difference_async(a, b, fails).get(), unit && text);
  a.barrier();
}
