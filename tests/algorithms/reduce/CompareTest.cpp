// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Exception.h"
#include "dash/algorithm/Equal.h"
#include "dash/algorithm/Mismatch.h"
#include "support/Catch.h"

using Catch::Matchers::ContainsSubstring;

namespace {

/// Checks comparisons of two ranges of the same length that differ at a random position, or not at
/// all.
template <class Policy, class A, class B>
void check_comparisons(const Policy& policy, const A& a, const A& a_last, const B& b) {
  const auto size = static_cast<std::size_t>(a_last - a);
  const B b_last = b + (a_last - a);
  const auto model = random_values<int>(size, 1000);
  assign(a, model);
  for (const long change : {0L, 1L, -1L}) {
    auto other = model;
    if (size > 0 && change != 0)
      other[static_cast<std::size_t>(random_up_to(static_cast<long>(size) - 1))] +=
          static_cast<int>(change);
    assign(b, other);
    CHECK(dash::equal(policy, a, a_last, b) == (model == other));
    const auto [in_a, in_b] = std::mismatch(model.begin(), model.end(), other.begin());
    const auto found = dash::mismatch(policy, a, a_last, b, b_last);
    CHECK(found.first - a == in_a - model.begin());
    CHECK(found.second - b == in_b - other.begin());
    CHECK(dash::lexicographical_compare(policy, a, a_last, b, b_last) == (model < other));
    CHECK(dash::equal(policy, a, a_last, b, b_last, std::less_equal<>()) ==
          std::equal(model.begin(), model.end(), other.begin(), std::less_equal<>()));
    a.team().barrier();
  }
}

}  // namespace

TEST_CASE(
    "comparisons of two arrays give the standard library's results for each pair of "
    "distributions") {
  for (const auto& from : distributions()) {
    dash::Array<int> other(320, from);
    for_each_array<int>(300, [&](const auto& first, const auto& last) {
      check_comparisons(dash::par, first, last, other.begin());
      check_comparisons(dash::par, first, last, other.begin() + 20);
    });
  }
}

TEST_CASE("comparisons of more remote elements than a batch") {
  constexpr std::size_t n = 200000;
  dash::Array<int> a(n);
  dash::Array<int> b(n, dash::BLOCKCYCLIC(777));
  check_comparisons(dash::par, a.begin(), a.end(), b.begin());
  for_each_policy(
      [&](const auto& policy) { CHECK(dash::equal(policy, a, b) == dash::equal(a, b)); });
}

TEST_CASE("comparisons of matrices, boxes and strided views with arrays") {
  dash::Array<int> array(300, dash::BLOCKCYCLIC(7));
  for_each_matrix<int>([&](const auto& first, const auto& last) {
    check_comparisons(dash::par, first, last, array.begin() + 4);
    const auto model = random_values<int>(static_cast<std::size_t>(last - first), 9);
    assign(array.begin(), model);
    assign(first, model);
    CHECK(dash::equal(array.begin(), array.begin() + (last - first), first));
  });
}

TEST_CASE("comparisons of ranges of different lengths, and with native memory") {
  const auto model = random_values<int>(100, 9);
  dash::Array<int> longer(100, dash::CYCLIC);
  dash::Array<int> shorter(60, dash::BLOCKED);
  assign(longer.begin(), model);
  assign(shorter.begin(), std::vector<int>(model.begin(), model.begin() + 60));
  CHECK_FALSE(dash::equal(longer, shorter));
  CHECK(dash::equal(longer.begin(), longer.begin() + 60, shorter.begin()));
  CHECK(dash::equal(longer.begin(), longer.end(), model.begin()));
  CHECK(dash::equal(longer.begin(), longer.end(), model.data()));
  CHECK(dash::mismatch(longer, shorter) == std::pair(longer.begin() + 60, shorter.end()));
  CHECK(dash::lexicographical_compare(shorter, longer));
  CHECK_FALSE(dash::lexicographical_compare(longer, shorter));
  CHECK_FALSE(dash::lexicographical_compare(longer, longer, std::greater<>()));
  longer.barrier();
}

TEST_CASE("comparisons as tasks, with each overload") {
  dash::Array<int> a(500, dash::CYCLIC);
  dash::Array<int> b(500, dash::BLOCKCYCLIC(9));
  assign(a.begin(), std::vector<int>(500, 1));
  assign(b.begin(), std::vector<int>(500, 1));
  auto equal = dash::equal_async(a, b);
  auto mismatch = dash::mismatch_async(dash::par, a, b, std::not_equal_to<>());
  auto before = dash::lexicographical_compare_async(a, b);
  CHECK_FALSE(before.get());
  CHECK(mismatch.get() == std::pair(a.begin(), b.begin()));
  CHECK(equal.get());
  a.barrier();
}

TEST_CASE("comparisons whose function throws on one unit throw on all units with its id") {
  dash::Array<int> a(20 * dash::size());
  dash::Array<int> b(20 * dash::size(), dash::CYCLIC);
  const auto last = static_cast<int>(dash::size()) - 1;
  const auto fails = [last](int, int) -> bool {
    if (dash::myid() == last) throw std::runtime_error("not comparable");
    return true;
  };
  const auto unit = ContainsSubstring("unit " + std::to_string(last));
  const auto text = ContainsSubstring("not comparable");
  CHECK_THROWS_WITH(dash::equal(a, b, fails), unit && text);
  CHECK_THROWS_WITH(dash::mismatch(a, b, fails), unit && text);
  CHECK_THROWS_WITH(dash::lexicographical_compare(a, b, fails), unit && text);
  a.barrier();
}
