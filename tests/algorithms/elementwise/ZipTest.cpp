// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,poll

#include "dash/algorithm/Zip.h"

#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "algorithms/call/RangeModel.h"
#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/algorithm/ForEach.h"
#include "dash/algorithm/Transform.h"
#include "dash/algorithm/TransformReduce.h"
#include "support/Catch.h"

using Catch::Matchers::ContainsSubstring;

namespace {

/// Arrays with different distributions, and the same values in native memory.
struct Inputs {
  dash::Array<long> a;
  dash::Array<int> b;
  dash::Array<double> c;
  std::vector<long> values_a;
  std::vector<int> values_b;
  std::vector<double> values_c;

  Inputs(std::size_t n, const dash::Distribution& of_a, const dash::Distribution& of_c)
      : a(n, of_a),
        b(n, of_a),
        c(n, of_c),
        values_a(random_values<long>(n, 100)),
        values_b(random_values<int>(n, 100)),
        values_c(random_values<double>(n, 100)) {
    assign(a.begin(), values_a);
    assign(b.begin(), values_b);
    assign(c.begin(), values_c);
  }
};

long combine(long a, int b, double c) {
  return a + 3 * b - static_cast<long>(c);
}

std::vector<long> combined(const Inputs& in) {
  std::vector<long> result(in.values_a.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = combine(in.values_a[i], in.values_b[i], in.values_c[i]);
  return result;
}

}  // namespace

TEST_CASE("transform of three ranges, by iterators, ranges and zip") {
  for (const auto& of_c : distributions()) {
    Inputs in(300, dash::BLOCKED, of_c);
    const std::vector<long> expected = combined(in);
    for_each_policy([&](const auto& policy) {
      dash::Array<long> out(300, dash::BLOCKCYCLIC(7));
      const auto check = [&](const auto& end) {
        CHECK(end == out.end());
        CHECK(differing(out.begin(), expected) == 0);
        dash::transform(out, out, [](long) { return -1L; });
      };
      check(dash::transform(policy, in.a, in.b, in.c, out, combine));
      check(dash::transform(policy, in.a.begin(), in.a.end(), in.b.begin(), in.c.begin(),
                            out.begin(), combine));
      check(dash::transform(policy, dash::zip(in.a, in.b, in.c), out, combine));
      check(dash::transform_async(policy, in.a, in.b, in.c, out, combine).get());
      check(dash::transform_async(policy, dash::zip(in.a, in.b, in.c), out.begin(), combine).get());
      check(dash::transform(policy, dash::zip(in.a, in.values_b, in.values_c), out, combine));
    });
    dash::Array<long> out(300);
    CHECK(dash::transform(in.a.begin() + 5, in.a.begin() + 200, in.b.begin() + 5, in.c.begin() + 5,
                          out.begin() + 20, combine) == out.begin() + 215);
    CHECK(values_of(out.begin() + 20, out.begin() + 215) ==
          std::vector<long>(expected.begin() + 5, expected.begin() + 200));
    // The output is an input.
    dash::transform(in.a, in.b, in.c, in.a, combine);
    CHECK(differing(in.a.begin(), expected) == 0);
  }
}

TEST_CASE("transform of four ranges never accumulates") {
  Inputs in(50, dash::CYCLIC, dash::BLOCKED);
  dash::transform(in.a, in.a, in.b, in.c, in.a,
                  [](long a, long same, int b, double c) { return combine(a + same, b, c); });
  for (std::size_t i = 0; i < in.values_a.size(); ++i)
    in.values_a[i] *= 2;
  CHECK(differing(in.a.begin(), combined(in)) == 0);
}

TEST_CASE("for_each of several ranges changes the elements of the first one") {
  for (const auto& of_c : distributions()) {
    for_each_policy([&](const auto& policy) {
      Inputs in(300, dash::BLOCKED, of_c);
      const auto update = [](long& a, int b, const double& c) { a = combine(a, b, c); };
      dash::for_each(policy, dash::zip(in.a, in.b, in.c), update);
      in.values_a = combined(in);
      CHECK(differing(in.a.begin(), in.values_a) == 0);
      dash::for_each_async(policy, dash::zip(in.a, in.values_b, in.c), update).get();
      CHECK(differing(in.a.begin(), combined(in)) == 0);
      CHECK(differing(in.c.begin(), in.values_c) == 0);
    });
  }
}

TEST_CASE("transform_reduce of several ranges") {
  for (const auto& of_c : distributions()) {
    Inputs in(300, dash::BLOCKED, of_c);
    const std::vector<long> each = combined(in);
    const long sum = std::accumulate(each.begin(), each.end(), 9L);
    for_each_policy([&](const auto& policy) {
      const auto all = dash::zip(in.a, in.b, in.c);
      CHECK(all.size() == 300);
      CHECK(dash::transform_reduce(policy, all, 9L, std::plus<>(), combine) == sum);
      CHECK(dash::transform_reduce_async(policy, all, 9L, std::plus<>(), combine).get() == sum);
    });
    CHECK(dash::transform_reduce(dash::zip(in.a, in.b), 0L, std::plus<>(), [](long a, int b) {
            return a * b;
          }) == dash::inner_product(in.a.begin(), in.a.end(), in.b.begin(), 0L));
  }
}

TEST_CASE("zip of boxes of matrices") {
  dash::NArray<long, 2> in(20, 30);
  dash::NArray<long, 2> out(20, 30, dash::NONE, dash::BLOCKED);
  std::vector<long> values(600);
  std::iota(values.begin(), values.end(), 0L);
  assign(in.begin(), values);
  auto box_in = in.sub<0>(2, 9).sub<1>(3, 11);
  auto box_out = out.sub<0>(5, 9).sub<1>(10, 11);
  dash::for_each(dash::zip(box_out, box_in), [](long& to, long from) { to = from + 1; });
  const std::vector<long> expected = values_of(box_in.begin(), box_in.end());
  std::vector<long> result = values_of(box_out.begin(), box_out.end());
  for (long& value : result)
    --value;
  CHECK(result == expected);
}

TEST_CASE("zip of ranges of different sizes throws an exception with the sizes") {
  dash::Array<int> a(100);
  dash::Array<int> b(100);
  const std::vector<int> c(99);
  CHECK_THROWS_WITH(dash::zip(a, b, c), ContainsSubstring("range 3 has 99 elements; expected 100"));
  CHECK_THROWS_AS(dash::zip(a, c, b), dash::exception::InvalidArgument);
  dash::barrier();
}

TEST_CASE("An exception of the function of for_each of several ranges reaches all units") {
  Inputs in(100, dash::BLOCKED, dash::CYCLIC);
  CHECK_THROWS_WITH(dash::for_each(dash::zip(in.a, in.c),
                                   [](long&, double) { throw std::runtime_error("refused"); }),
                    ContainsSubstring("refused"));
  dash::barrier();
}
