// dash-test: serial

#include <array>
#include <type_traits>

#include "dash/util/ArrayExpr.h"
#include "dash/util/FunctionalExpr.h"
#include "dash/util/IndexSequence.h"
#include "support/Catch.h"

namespace {

namespace ce = dash::ce;

constexpr std::array<int, 5> values{{1, 2, 3, 4, 5}};

template <class... Ints>
constexpr std::array<int, sizeof...(Ints)> ints(Ints... list) {
  return {{list...}};
}

}  // namespace

TEST_CASE("ce: arrays: split and concatenated at compile time") {
  static_assert(ce::drop<2>(values) == ints(3, 4, 5));
  static_assert(ce::take<2>(values) == ints(1, 2));
  static_assert(ce::head(values) == std::array<int, 1>{{1}});
  static_assert(ce::tail(values) == ints(2, 3, 4, 5));
  static_assert(ce::append(ce::take<1>(values), 7) == ints(1, 7));
  static_assert(ce::append(ce::take<1>(values), ce::drop<4>(values)) == ints(1, 5));
  static_assert(ce::reverse(values) == ints(5, 4, 3, 2, 1));
  static_assert(ce::replace_nth<1>(9, values) == ints(1, 9, 3, 4, 5));
  constexpr ce::split<int, 2, 3> parts(values);
  static_assert(parts.left() == ints(1, 2));
  static_assert(parts.right() == ints(3, 4, 5));
  static_assert(ce::are_integral<int, long>::value && !ce::are_integral<int, float>::value);
  CHECK(ce::drop<5>(values).empty());
}

TEST_CASE("ce: functions: evaluated at compile time") {
  static_assert(ce::accumulate(values, 10, ce::plus<int>) == 25);
  static_assert(ce::accumulate(values, 1, ce::multiplies<int>) == 120);
  static_assert(ce::accumulate(values, 10) == 25);
  static_assert(ce::inner_product(values, values, 1, ce::multiplies<int>, ce::plus<int>) ==
                2 * 4 * 6 * 8 * 10);
  static_assert(ce::minus<int>(5, 3) == 2 && ce::divides<int>(7, 2) == 3);
  static_assert(ce::pow(2, 10) == 1024 && ce::pow(3, 0) == 1);
  static_assert(ce::inner_product(values, ce::reverse(values), 0) == 35);
  static_assert(ce::transform(values, [](int n) { return 2 * n; }) == ints(2, 4, 6, 8, 10));
  static_assert(ce::transform(values, values, ce::plus<int>) == ints(2, 4, 6, 8, 10));
  static_assert(std::is_same_v<ce::make_rev_index_sequence<3>, ce::index_sequence<2, 1, 0>>);
  static_assert(std::is_same_v<ce::make_index_sequence<2>, ce::index_sequence<0, 1>>);
  CHECK(ce::accumulate(values, 0, ce::plus<int>) == 15);
}
