// dash-test: serial

#include <cstddef>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "dash/Types.h"
#include "dash/internal/Unit.h"
#include "support/Catch.h"

using dash::global_unit_t;
using dash::team_unit_t;

namespace {

template <class A, class B>
concept EqualityComparable = requires(A a, B b) {
  a == b;
};
template <class A, class B>
concept LessComparable = requires(A a, B b) {
  a < b;
};

}  // namespace

TEST_CASE("Unit id: compared with integers of any type: by value") {
  constexpr team_unit_t unit{3};
  STATIC_REQUIRE(unit == 3);
  STATIC_REQUIRE(3 == unit);
  STATIC_REQUIRE(unit != 4u);
  STATIC_REQUIRE(unit < std::size_t{4});
  STATIC_REQUIRE(5L > unit);
  STATIC_REQUIRE(unit <= 3);
  STATIC_REQUIRE(unit == static_cast<short>(3));
  // An undefined id is not a huge number.
  STATIC_REQUIRE(team_unit_t{} < std::size_t{0});
  STATIC_REQUIRE(team_unit_t{} == -1);
  STATIC_REQUIRE(dash::UNDEFINED_TEAM_UNIT_ID == team_unit_t{});
}

TEST_CASE("Unit id: of the other scope: cannot be compared, assigned or converted") {
  STATIC_REQUIRE_FALSE(EqualityComparable<team_unit_t, global_unit_t>);
  STATIC_REQUIRE_FALSE(LessComparable<team_unit_t, global_unit_t>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<team_unit_t&, global_unit_t>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<global_unit_t, team_unit_t>);
  STATIC_REQUIRE(team_unit_t(global_unit_t{2}) == 2);
}

TEST_CASE("Unit id: used as an integer: converts") {
  const global_unit_t unit{2};
  const int values[] = {10, 11, 12};
  const std::size_t size = unit;
  const int signed_size = unit;
  CHECK(values[unit] == 12);
  CHECK(size == 2);
  CHECK(signed_size == 2);
  CHECK((unit + 1) % std::size_t{3} == 0);
  CHECK(unit % 2 == 0);
  const dart_unit_t chosen = size == 2 ? unit : -1;
  CHECK(chosen == 2);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<int, global_unit_t>);
  STATIC_REQUIRE(std::is_convertible_v<dart_global_unit_t, global_unit_t>);
}

TEST_CASE("Unit id: arithmetic within a scope: stays in it") {
  team_unit_t unit{2};
  STATIC_REQUIRE(std::is_same_v<decltype(unit + unit), team_unit_t>);
  STATIC_REQUIRE(std::is_same_v<decltype(unit - unit), team_unit_t>);
  CHECK((unit + team_unit_t{3}).id == 5);
  unit += 4;
  CHECK(unit == 6);
  unit %= 4;
  CHECK(unit == 2);
  unit *= 3;
  unit -= 1;
  unit /= 2;
  CHECK(unit == 2);
  CHECK(unit++ == 2);
  CHECK(++unit == 4);
  CHECK(unit-- == 4);
  CHECK(--unit == 2);
  unit = 7;
  CHECK(unit == 7);
  std::ostringstream text;
  text << unit;
  CHECK(text.str() == "7");
}

TEST_CASE("Types: datatypes of elements: exact, by size, or bytes") {
  struct Rgb {
    unsigned char r, g, b;
  };
  STATIC_REQUIRE(dash::dart_datatype<int>::value == DART_TYPE_INT);
  STATIC_REQUIRE(dash::dart_datatype<const unsigned char>::value == DART_TYPE_BYTE);
  STATIC_REQUIRE(dash::dart_datatype<std::size_t>::value == DART_TYPE_ULONG);
  STATIC_REQUIRE(dash::dart_datatype<bool>::value == DART_TYPE_UNDEFINED);
  STATIC_REQUIRE(dash::dart_datatype<signed char>::value == DART_TYPE_UNDEFINED);
  STATIC_REQUIRE(dash::dart_punned_datatype<bool>::value == DART_TYPE_BYTE);
  STATIC_REQUIRE(dash::dart_punned_datatype<Rgb>::value == DART_TYPE_UNDEFINED);
  STATIC_REQUIRE(dash::dart_storage<double>(4).nelem == 4);
  STATIC_REQUIRE(dash::dart_storage<Rgb>(4).nelem == 12);
  STATIC_REQUIRE(dash::dart_storage<Rgb>::dtype == DART_TYPE_BYTE);
  STATIC_REQUIRE(dash::is_container_compatible<Rgb>::value);
  STATIC_REQUIRE_FALSE(dash::is_container_compatible<std::string>::value);
  STATIC_REQUIRE(dash::is_arithmetic<float>::value);
  STATIC_REQUIRE(dash::has_operator_equal<int>::value);
  STATIC_REQUIRE_FALSE(dash::has_operator_equal<Rgb>::value);
}

TEST_CASE("Types: as specified") {
  STATIC_REQUIRE(std::is_same_v<dash::default_index_t, dash::gptrdiff_t>);
  STATIC_REQUIRE(std::is_same_v<dash::default_extent_t, dash::default_size_t>);
  STATIC_REQUIRE(std::is_same_v<dash::max_align_t, std::max_align_t>);
  STATIC_REQUIRE(dash::MEM_ARRANGE_UNDEFINED == 0);
  STATIC_REQUIRE(dash::MemArrange::COL_MAJOR == dash::ROW_MAJOR + 1);
  STATIC_REQUIRE(dash::internal::DIST_TILE == 5);
  constexpr dash::Point<2, int> point{{{1, 2}}};
  constexpr dash::Extent<3> extent{{{1, 2, 3}}};
  STATIC_REQUIRE(point.coords[1] == 2);
  STATIC_REQUIRE(extent.sizes.size() == 3);
  struct Two {
    char a, b;
  };
  struct Eight {
    float a, b;
  };
  STATIC_REQUIRE(dash::dart_punned_datatype<Two>::value == DART_TYPE_SHORT);
  STATIC_REQUIRE(dash::dart_punned_datatype<const Eight>::value == DART_TYPE_LONGLONG);
  STATIC_REQUIRE(dash::dart_punned_datatype<double>::value == DART_TYPE_DOUBLE);
  STATIC_REQUIRE(dash::dart_datatype<volatile short>::value == DART_TYPE_SHORT);
  STATIC_REQUIRE(dash::dart_datatype<long double>::value == DART_TYPE_LONG_DOUBLE);
  constexpr dash::dart_storage<Two> storage = 5;
  STATIC_REQUIRE(storage.nelem == 10);
  STATIC_REQUIRE(dash::is_atomic_compatible<bool>::value);
  STATIC_REQUIRE_FALSE(dash::is_atomic_compatible<Two>::value);
  STATIC_REQUIRE_FALSE(dash::is_arithmetic<bool>::value);
  STATIC_REQUIRE_FALSE(dash::is_container_compatible<std::pair<int, int>>::value);
  STATIC_REQUIRE(std::is_same_v<team_unit_t, dash::unit_id<dash::local_unit, dart_team_unit_t>>);
  STATIC_REQUIRE(
      std::is_same_v<global_unit_t, dash::unit_id<dash::global_unit, dart_global_unit_t>>);
  STATIC_REQUIRE(dash::UNDEFINED_GLOBAL_UNIT_ID.id == -1);
}
