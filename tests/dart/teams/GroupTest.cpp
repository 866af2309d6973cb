// dash-test: parallel units=1,2,3,4,7

#include <algorithm>
#include <climits>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::test::num_units;

namespace {

using Members = std::vector<int>;

/// Destroyed with the test case, unless it is null by then.
struct Owned {
  dart_group_t handle = DART_GROUP_NULL;
  Owned() = default;
  explicit Owned(const Members& units) {
    REQUIRE(dart_group_create(&handle) == DART_OK);
    for (const int unit : units)
      REQUIRE(dart_group_addmember(handle, unit) == DART_OK);
  }
  Owned(Owned&& other) noexcept : handle(std::exchange(other.handle, DART_GROUP_NULL)) {}
  ~Owned() {
    if (handle != DART_GROUP_NULL) CHECK(dart_group_destroy(&handle) == DART_OK);
  }
};

Members members_of(dart_group_t group) {
  size_t size = 0;
  REQUIRE(dart_group_size(group, &size) == DART_OK);
  std::vector<dart_global_unit_t> units(size + 1, dart_global_unit_t(-7));
  REQUIRE(dart_group_getmembers(group, units.data()) == DART_OK);
  REQUIRE(units.back().id == -7);
  Members result;
  for (size_t i = 0; i < size; ++i)
    result.push_back(units[i].id);
  return result;
}

bool is_member(dart_group_t group, int unit) {
  int32_t flag = -1;
  REQUIRE(dart_group_ismember(group, unit, &flag) == DART_OK);
  REQUIRE((flag == 0 || flag == 1));
  return flag == 1;
}

Members all_units() {
  Members result;
  for (int unit = 0; unit < num_units(); ++unit)
    result.push_back(unit);
  return result;
}

/// A random selection of the units, in random order, with duplicates.
Members random_units(std::mt19937& random) {
  Members result;
  const auto count = random() % (2 * static_cast<unsigned>(num_units()) + 1);
  for (unsigned i = 0; i < count; ++i)
    result.push_back(static_cast<int>(random() % static_cast<unsigned>(num_units())));
  return result;
}

std::set<int> as_set(const Members& units) {
  return {units.begin(), units.end()};
}

Members as_members(const std::set<int>& units) {
  return {units.begin(), units.end()};
}

bool last_error_has(const char* part) {
  return std::string(dart_last_error()).find(part) != std::string::npos;
}

/// The handle of a destroyed group, which must differ from that of any later group.
dart_group_t destroyed_group() {
  dart_group_t group = DART_GROUP_NULL;
  REQUIRE(dart_group_create(&group) == DART_OK);
  const dart_group_t copy = group;
  REQUIRE(dart_group_destroy(&group) == DART_OK);
  REQUIRE(group == DART_GROUP_NULL);
  return copy;
}

}  // namespace

TEST_CASE("A new group is empty", "[Group]") {
  const Owned group(Members{});
  CHECK(group.handle != DART_GROUP_NULL);
  CHECK(members_of(group.handle).empty());
  CHECK_FALSE(is_member(group.handle, 0));
}

TEST_CASE("Members are ascending and unique, whatever the order of insertion", "[Group]") {
  Members units = all_units();
  std::reverse(units.begin(), units.end());
  units.push_back(0);
  const Owned group(units);
  CHECK(members_of(group.handle) == all_units());
}

TEST_CASE("Groups behave like sets", "[Group]") {
  std::mt19937 random(dash::test::seed());
  for (int round = 0; round < 200; ++round) {
    const Members a_units = random_units(random);
    const Members b_units = random_units(random);
    const std::set<int> a = as_set(a_units);
    const std::set<int> b = as_set(b_units);
    const Owned a_group(a_units);
    const Owned b_group(b_units);
    Owned both;
    Owned common;
    REQUIRE(dart_group_union(a_group.handle, b_group.handle, &both.handle) == DART_OK);
    REQUIRE(dart_group_intersect(a_group.handle, b_group.handle, &common.handle) == DART_OK);
    std::set<int> expected_both = a;
    expected_both.insert(b.begin(), b.end());
    std::set<int> expected_common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::inserter(expected_common, expected_common.end()));
    REQUIRE(members_of(both.handle) == as_members(expected_both));
    REQUIRE(members_of(common.handle) == as_members(expected_common));
    for (const int unit : b_units)
      REQUIRE(dart_group_delmember(both.handle, unit) == DART_OK);
    for (const int unit : all_units()) {
      REQUIRE(is_member(a_group.handle, unit) == a.contains(unit));
      REQUIRE(is_member(both.handle, unit) == (a.contains(unit) && !b.contains(unit)));
    }
    // The operands are unchanged.
    REQUIRE(members_of(a_group.handle) == as_members(a));
    REQUIRE(members_of(b_group.handle) == as_members(b));
  }
}

TEST_CASE("Removing a unit that is not a member changes nothing", "[Group]") {
  const Owned group(Members{0});
  REQUIRE(dart_group_delmember(group.handle, num_units() - 1) == DART_OK);
  REQUIRE(dart_group_delmember(group.handle, num_units() - 1) == DART_OK);
  CHECK(members_of(group.handle) == (num_units() == 1 ? Members{} : Members{0}));
}

TEST_CASE("A copy of a group is independent", "[Group]") {
  Owned group(all_units());
  Owned copy;
  REQUIRE(dart_group_clone(group.handle, &copy.handle) == DART_OK);
  REQUIRE(copy.handle != group.handle);
  REQUIRE(dart_group_delmember(group.handle, 0) == DART_OK);
  CHECK(members_of(copy.handle) == all_units());
  REQUIRE(dart_group_destroy(&group.handle) == DART_OK);
  CHECK(members_of(copy.handle) == all_units());
}

TEST_CASE("A group is split into contiguous parts of equal size; surplus parts are empty",
          "[Group]") {
  const Members units = all_units();
  const Owned group(units);
  for (size_t n = 1; n <= units.size() + 3; ++n) {
    std::vector<dart_group_t> parts(n + 1, DART_GROUP_NULL);
    size_t nout = 99;
    REQUIRE(dart_group_split(group.handle, n, &nout, parts.data()) == DART_OK);
    REQUIRE(parts.back() == DART_GROUP_NULL);
    parts.pop_back();
    const size_t chunk = (units.size() + n - 1) / n;
    REQUIRE(nout == (units.size() + chunk - 1) / chunk);
    Members joined;
    for (size_t part = 0; part < n; ++part) {
      const Members members = members_of(parts[part]);
      REQUIRE(members.empty() == (part >= nout));
      if (part + 1 < nout) REQUIRE(members.size() == chunk);
      joined.insert(joined.end(), members.begin(), members.end());
      REQUIRE(dart_group_destroy(&parts[part]) == DART_OK);
    }
    REQUIRE(joined == units);
  }
}

TEST_CASE("Splitting an empty group gives empty parts", "[Group]") {
  const Owned group(Members{});
  dart_group_t parts[2] = {DART_GROUP_NULL, DART_GROUP_NULL};
  size_t nout = 99;
  REQUIRE(dart_group_split(group.handle, 2, &nout, parts) == DART_OK);
  CHECK(nout == 0);
  for (dart_group_t& part : parts) {
    CHECK(members_of(part).empty());
    CHECK(dart_group_destroy(&part) == DART_OK);
  }
}

TEST_CASE("Units that do not exist are rejected", "[Group]") {
  const Owned group(Members{0});
  int32_t flag = 42;
  for (const int unit : {-1, INT_MIN, num_units(), INT_MAX}) {
    CHECK(dart_group_addmember(group.handle, unit) == DART_ERR_INVAL);
    CHECK(last_error_has(std::to_string(unit).c_str()));
    CHECK(dart_group_delmember(group.handle, unit) == DART_ERR_INVAL);
    CHECK(dart_group_ismember(group.handle, unit, &flag) == DART_ERR_INVAL);
  }
  CHECK(flag == 42);
  CHECK(members_of(group.handle) == Members{0});
}

TEST_CASE("Every function rejects a null or destroyed group", "[Group]") {
  const Owned good(Members{0});
  const dart_group_t stale = destroyed_group();
  for (const dart_group_t bad : {DART_GROUP_NULL, stale}) {
    const dart_group_t untouched = good.handle;
    dart_group_t group = bad;
    dart_group_t out = untouched;
    size_t size = 42;
    int32_t flag = 42;
    dart_global_unit_t unit(-7);
    CHECK(dart_group_destroy(&group) == DART_ERR_INVAL);
    CHECK(group == bad);
    CHECK(dart_group_clone(bad, &out) == DART_ERR_INVAL);
    CHECK(dart_group_union(bad, good.handle, &out) == DART_ERR_INVAL);
    CHECK(dart_group_union(good.handle, bad, &out) == DART_ERR_INVAL);
    CHECK(dart_group_intersect(bad, good.handle, &out) == DART_ERR_INVAL);
    CHECK(dart_group_intersect(good.handle, bad, &out) == DART_ERR_INVAL);
    CHECK(dart_group_addmember(bad, 0) == DART_ERR_INVAL);
    CHECK(dart_group_delmember(bad, 0) == DART_ERR_INVAL);
    CHECK(dart_group_ismember(bad, 0, &flag) == DART_ERR_INVAL);
    CHECK(dart_group_size(bad, &size) == DART_ERR_INVAL);
    CHECK(dart_group_getmembers(bad, &unit) == DART_ERR_INVAL);
    CHECK(dart_group_split(bad, 1, &size, &out) == DART_ERR_INVAL);
    CHECK(last_error_has(bad == DART_GROUP_NULL ? "DART_GROUP_NULL" : "destroyed"));
    CHECK(out == untouched);
    CHECK(size == 42);
    CHECK(flag == 42);
    CHECK(unit.id == -7);
  }
}

TEST_CASE("Null pointers for results are rejected", "[Group]") {
  const Owned group(Members{0});
  size_t size = 42;
  dart_group_t part = DART_GROUP_NULL;
  CHECK(dart_group_create(nullptr) == DART_ERR_INVAL);
  CHECK(last_error_has("group is NULL"));
  CHECK(dart_group_destroy(nullptr) == DART_ERR_INVAL);
  CHECK(dart_group_clone(group.handle, nullptr) == DART_ERR_INVAL);
  CHECK(dart_group_union(group.handle, group.handle, nullptr) == DART_ERR_INVAL);
  CHECK(dart_group_intersect(group.handle, group.handle, nullptr) == DART_ERR_INVAL);
  CHECK(dart_group_ismember(group.handle, 0, nullptr) == DART_ERR_INVAL);
  CHECK(dart_group_size(group.handle, nullptr) == DART_ERR_INVAL);
  CHECK(dart_group_getmembers(group.handle, nullptr) == DART_ERR_INVAL);
  CHECK(dart_group_split(group.handle, 1, nullptr, &part) == DART_ERR_INVAL);
  CHECK(dart_group_split(group.handle, 1, &size, nullptr) == DART_ERR_INVAL);
  CHECK(size == 42);
  CHECK(part == DART_GROUP_NULL);
}

TEST_CASE("Splitting into no parts, or into more than INT_MAX parts, is rejected", "[Group]") {
  const Owned group(Members{0});
  size_t nout = 42;
  dart_group_t part = DART_GROUP_NULL;
  CHECK(dart_group_split(group.handle, 0, &nout, &part) == DART_ERR_INVAL);
  CHECK(dart_group_split(group.handle, size_t{INT_MAX} + 1, &nout, &part) == DART_ERR_INVAL);
  CHECK(nout == 42);
  CHECK(part == DART_GROUP_NULL);
}
