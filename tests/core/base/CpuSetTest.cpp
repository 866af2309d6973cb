// dash-test: serial
#include "dash/core/CpuSet.h"

#include <random>
#include <set>
#include <type_traits>
#include <vector>

#include "support/Catch.h"
#include "support/Runner.h"

using dash::core::CpuSet;

static_assert(std::is_trivially_copyable_v<CpuSet>);
static_assert(sizeof(CpuSet) == CpuSet::capacity / 8);

namespace {

CpuSet make_set(const std::set<int>& members) {
  CpuSet result;
  for (const int cpu : members) {
    result.set(cpu);
  }
  return result;
}

std::set<int> members_of(const CpuSet& set) {
  return {set.begin(), set.end()};
}

std::set<int> random_members(std::mt19937& random) {
  std::uniform_int_distribution<int> size(0, 40);
  std::uniform_int_distribution<int> cpu(0, CpuSet::capacity - 1);
  std::set<int> members;
  for (int n = size(random); n > 0; --n) {
    members.insert(cpu(random));
  }
  return members;
}

}  // namespace

TEST_CASE("An empty CpuSet has no members") {
  const CpuSet set;
  CHECK(set.empty());
  CHECK(set.count() == 0);
  CHECK(set.first() == -1);
  CHECK(set.begin() == set.end());
  CHECK(set.to_string().empty());
}

TEST_CASE("A CpuSet accepts processors at the ends of its words and rejects those outside") {
  CpuSet set;
  for (const int cpu : {0, 63, 64, 127, 1023}) {
    CHECK_FALSE(set.test(cpu));
    CHECK(set.set(cpu));
    CHECK(set.test(cpu));
  }
  CHECK(set.count() == 5);
  for (const int cpu : {-1, -1000, 1024, 100'000}) {
    CHECK_FALSE(set.set(cpu));
    CHECK_FALSE(set.test(cpu));
    set.reset(cpu);
  }
  CHECK(set.count() == 5);
  set.reset(64);
  CHECK(members_of(set) == std::set<int>{0, 63, 127, 1023});
  CHECK(set.next(1023) == -1);
  CHECK(set.next(100'000) == -1);
}

TEST_CASE("A CpuSet prints ranges as taskset does") {
  CHECK(make_set({0, 1, 2, 3, 8}).to_string() == "0-3,8");
  CHECK(make_set({5}).to_string() == "5");
  CHECK(make_set({0, 1}).to_string() == "0-1");
  CHECK(make_set({62, 63, 64, 65, 1022, 1023}).to_string() == "62-65,1022-1023");
  CHECK(CpuSet::range(0, CpuSet::capacity).to_string() == "0-1023");
}

TEST_CASE("A CpuSet behaves as a std::set of numbers") {
  INFO("seed " << dash::test::seed());
  std::mt19937 random(dash::test::seed());
  for (int round = 0; round < 200; ++round) {
    const std::set<int> a = random_members(random);
    const std::set<int> b = random_members(random);
    const CpuSet set_a = make_set(a);
    const CpuSet set_b = make_set(b);
    std::set<int> either = a;
    either.insert(b.begin(), b.end());
    std::set<int> common;
    for (const int cpu : a) {
      if (b.count(cpu) != 0) {
        common.insert(cpu);
      }
    }
    REQUIRE(members_of(set_a) == a);
    REQUIRE(set_a.count() == static_cast<int>(a.size()));
    REQUIRE(set_a.first() == (a.empty() ? -1 : *a.begin()));
    REQUIRE(members_of(set_a | set_b) == either);
    REQUIRE(members_of(set_a & set_b) == common);
    REQUIRE((set_a == set_b) == (a == b));
  }
}
