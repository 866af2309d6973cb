// dash-test: parallel units=1,3 full-units=2,4,7 layouts=node,nolocal modes=auto,poll
//
// Overloads of algorithms for ranges, for native memory by iterators of containers, and for native
// ranges.

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <list>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/Copy.h"
#include "dash/algorithm/CopyIf.h"
#include "dash/algorithm/Equal.h"
#include "dash/algorithm/Generate.h"
#include "dash/algorithm/Mismatch.h"
#include "dash/algorithm/Reduce.h"
#include "dash/algorithm/Transform.h"
#include "dash/algorithm/TransformReduce.h"
#include "support/Catch.h"

using index_t = dash::default_index_t;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<int> iota(std::size_t size) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

dash::Array<int> iota_array(std::size_t size, dash::DistributionSpec<1> distribution) {
  dash::Array<int> array(size, distribution);
  dash::generate_with_index(array, [](index_t i) { return static_cast<int>(i); });
  array.barrier();
  return array;
}

template <class Array>
std::vector<int> values_of(const Array& array) {
  std::vector<int> values(array.size());
  dash::copy(array.begin(), array.end(), values.data());
  return values;
}

}  // namespace

TEST_CASE(
    "transform of ranges to a range gives the result of iterators, with and without a policy") {
  constexpr std::size_t n = 500;
  auto a = iota_array(n, dash::BLOCKED);
  auto b = iota_array(n, dash::CYCLIC);
  dash::Array<int> out(n, dash::BLOCKCYCLIC(7));
  const auto require_out = [&](auto f) {
    std::vector<int> expected(n);
    for (std::size_t i = 0; i < n; ++i)
      expected[i] = f(static_cast<int>(i));
    CHECK(values_of(out) == expected);
    out.barrier();
  };
  const auto twice = [](int x) { return 2 * x; };
  const auto product = [](int x, int y) { return x * y; };
  CHECK(dash::transform(dash::par, a, out, twice) == out.end());
  require_out(twice);
  CHECK(dash::transform(a, b, out, product) == out.end());
  require_out([](int x) { return x * x; });
  CHECK(dash::transform(dash::seq, b, a.begin(), out, std::minus<>()) == out.end());
  require_out([](int) { return 0; });
  CHECK(dash::transform_async(dash::par_node, a, out, twice).get() == out.end());
  require_out(twice);
  CHECK(dash::transform_async(a, b, out, product).get() == out.end());
  require_out([](int x) { return x * x; });
  const auto native = iota(n);
  CHECK(dash::transform(dash::par, native.begin(), native.end(), out, twice) == out.end());
  require_out(twice);
  dash::transform(a, out, out, dash::plus<int>());  // accumulates
  out.barrier();
  require_out([](int x) { return 3 * x; });
}

TEST_CASE("copy of a range to a range writes to the begin of the target") {
  constexpr std::size_t n = 300;
  auto a = iota_array(n, dash::BLOCKED);
  dash::Array<int> out(n + 5, dash::CYCLIC);
  const auto first_of_out = [&] {
    auto values = values_of(out);
    values.resize(n);
    out.barrier();
    return values;
  };
  if (dash::myid() == 0) CHECK(dash::copy(a, out) == out.begin() + n);
  out.barrier();
  CHECK(first_of_out() == iota(n));
  dash::transform(dash::par, a, a, [](int x) { return -x; });
  if (dash::myid() == 0) CHECK(dash::copy_async(dash::par, a, out).get() == out.begin() + n);
  out.barrier();
  CHECK(first_of_out()[n - 1] == -static_cast<int>(n - 1));
  const auto is_odd = [](int x) { return x % 2 != 0; };
  CHECK(dash::copy_if(a, out, is_odd) == out.begin() + n / 2);
  CHECK(first_of_out()[1] == -3);
  CHECK(dash::copy_if_async(dash::seq, a, out, std::not_fn(is_odd)).get() == out.begin() + n / 2);
  CHECK(first_of_out()[1] == -2);
}

TEST_CASE("copy of native memory by iterators of containers gives the result of pointers") {
  constexpr std::size_t n = 200;
  dash::Array<int> a(n, dash::BLOCKCYCLIC(9));
  const auto values = iota(n);
  std::vector<int> got(n);
  if (dash::myid() == 0) {
    CHECK(dash::copy(values.begin(), values.end(), a.begin()) == a.end());
    CHECK(dash::copy(a.begin(), a.end(), got.begin()) == got.end());
    CHECK(got == values);
    std::vector<int> reversed(values.rbegin(), values.rend());
    CHECK(dash::copy_async(reversed.begin(), reversed.end(), a.begin()).get() == a.end());
    CHECK(dash::copy_async(a.begin(), a.end(), got.begin()).get() == got.end());
    CHECK(got == reversed);
    CHECK(dash::copy(dash::par, values.begin(), values.end(), a) == a.end());
    CHECK(dash::copy(dash::par, a, got.begin()) == got.end());
    CHECK(got == values);
    CHECK(dash::copy_async(dash::par, reversed.begin(), reversed.end(), a.begin()).get() ==
          a.end());
    std::array<int, n> buffer{};
    const std::span<int> span(buffer);
    CHECK(dash::copy_async(a, span.begin()).get() == span.end());
    CHECK(std::vector<int>(buffer.begin(), buffer.end()) == reversed);
    CHECK(dash::copy_async(values.begin(), values.end(), got.begin()).get() == got.end());
    CHECK(got == values);
    CHECK(dash::copy_async(reversed.data(), reversed.data() + n, got.begin()).get() == got.end());
    CHECK(got == reversed);
    CHECK(dash::copy(got.begin(), got.begin(), a.begin()) == a.begin());
    CHECK(dash::copy_async(a.begin(), a.begin(), got.begin()).get() == got.begin());
  }
  a.barrier();
}

TEST_CASE("comparisons with a native range use its end") {
  constexpr std::size_t n = 400;
  auto a = iota_array(n, dash::CYCLIC);
  std::vector<int> same = iota(n);
  const std::vector<int> longer = iota(n + 1);
  CHECK(dash::equal(a, same));
  CHECK(dash::equal(dash::par_node, a, std::as_const(same), std::equal_to<>()));
  CHECK_FALSE(dash::equal(a, longer));
  CHECK(dash::equal(a, iota(n)));
  CHECK(dash::equal_async(a, same).get());
  CHECK(dash::mismatch(a, longer) == std::pair(a.end(), longer.begin() + n));
  CHECK_FALSE(dash::lexicographical_compare(a, same));
  CHECK(dash::lexicographical_compare(a, longer));
  CHECK(dash::lexicographical_compare_async(dash::seq, a, std::span<const int>(longer)).get());
  same[123] = -1;
  CHECK_FALSE(dash::equal(dash::seq, a, same));
  CHECK(dash::mismatch(a, same) == std::pair(a.begin() + 123, same.begin() + 123));
  CHECK(dash::mismatch_async(a, same, std::equal_to<>()).get().first == a.begin() + 123);
  CHECK_FALSE(dash::lexicographical_compare(a, same, std::less<>()));
  const int few[] = {0, 1};
  CHECK_FALSE(dash::equal(a, few));
  a.barrier();
}

TEST_CASE("reduce of native ranges with a policy or as a task gives the same result") {
  const auto size = static_cast<int>(dash::size());
  const std::vector<int> own(1000, dash::myid() + 1);
  const std::list<int> list(own.begin(), own.end());
  const int sum = 1000 * size * (size + 1) / 2;
  const int* const first = own.data();
  CHECK(dash::reduce(dash::seq, first, first + 1000, 1) == sum + 1);
  CHECK(dash::reduce(dash::par_node, own.begin(), own.end(), 0, dash::max<int>()) == size);
  CHECK(dash::reduce(dash::par, list.begin(), list.end(), 0, true) == sum);
  CHECK(dash::reduce(dash::par, first, first, 5, dash::plus<int>(), false, dash::Team::All()) == 5);
  auto of_list = dash::reduce_async(list.begin(), list.end(), 2);
  auto of_own = dash::reduce_async(dash::par, first, first + 1000, 0, dash::min<int>());
  auto of_none = dash::reduce_async(first, first, 9, false);
  auto failing = dash::reduce_async(first, first, 9);
  CHECK(of_list.get() == sum + 2);
  CHECK(of_own.get() == 0);
  CHECK(of_none.get() == 9);
  CHECK_THROWS_WITH(failing.get(),
                    ContainsSubstring("dash::reduce") && ContainsSubstring("the range is empty"));
}

namespace {

struct Wide {
  double value;
  std::array<double, 2> rest;
};

/// A scalar product is bitwise independent of the distribution of the other range.
template <class T, class Make, class ValueOf>
void require_same_bits(std::size_t of_unit, Make make, ValueOf value_of) {
  const std::size_t n = of_unit * dash::size();
  dash::Array<T> a(n, dash::BLOCKED);
  dash::Array<float> alike(n, dash::BLOCKED);
  dash::Array<float> other(n, dash::CYCLIC);
  std::vector<float> native(n);
  const auto value = [](index_t i) {
    return std::ldexp(1.0F + static_cast<float>(i % 127) / 127.0F, static_cast<int>(i * 31 % 23));
  };
  for (std::size_t i = 0; i < n; ++i)
    native[i] = value(static_cast<index_t>(i));
  dash::generate_with_index(a, make);
  dash::generate_with_index(alike, value);
  dash::generate_with_index(other, value);
  a.barrier();
  const auto product = [&](const auto& second) {
    return dash::transform_reduce(
        a.begin(), a.end(), second, 0.0F, std::plus<>(),
        [&](const T& x, float y) { return static_cast<float>(value_of(x)) * y; });
  };
  const float expected = product(alike.begin());
  CHECK(product(other.begin()) == expected);
  CHECK(product(native.begin()) == expected);
  a.barrier();
}

}  // namespace

TEST_CASE(
    "transform_reduce of two ranges is bitwise independent of the distribution of the second one") {
  require_same_bits<char>(
      300001, [](index_t i) { return static_cast<char>(1 + i % 97); }, [](char x) { return x; });
  require_same_bits<Wide>(
      150001,
      [](index_t i) {
        return Wide{static_cast<double>(1 + i % 89), {}};
      },
      [](const Wide& x) { return x.value; });
}
