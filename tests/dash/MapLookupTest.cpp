// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "dash/Collectives.h"
#include "dash/Init.h"
#include "dash/UnorderedMap.h"

namespace {

int me() {
  return dash::myid().id;
}
int nunits() {
  return static_cast<int>(dash::size());
}

struct Modulo {
  dash::team_unit_t operator()(long key) const {
    return dash::team_unit_t(static_cast<int>(key % nunits()));
  }
};

/// Keys that std::hash tells apart are the same to it.
struct SameInteger {
  bool operator()(double a, double b) const { return std::floor(a) == std::floor(b); }
};
/// Its hash_value says what tells keys apart, in the lower bits alone.
struct LastOwnsIntegers {
  dash::team_unit_t operator()(double) const { return dash::team_unit_t(nunits() - 1); }
  std::uint64_t hash_value(double key) const { return static_cast<std::uint64_t>(key); }
};

}  // namespace

TEST_CASE("a key that local was given elsewhere than the hasher says is not inserted again") {
  dash::UnorderedMap<long, long, Modulo> map;
  // Each unit has its right neighbour's key.
  const long key = 10L * nunits() + (me() + 1) % nunits();
  map.local.insert({key, 100 + me()});
  map.barrier();
  const auto [it, inserted] = map.insert({key, -1});
  CHECK_FALSE(inserted);
  CHECK(it.lpos().unit == dash::Team::All().myid());
  dash::barrier();
  const long mine = 10L * nunits() + me();
  const long left = 100 + (me() + nunits() - 1) % nunits();
  CHECK(map[mine] == left);
  const std::vector<std::pair<long, long>> items{{mine, -1}, {mine + nunits(), me()}};
  CHECK(map.insert(items.begin(), items.end()) == 1);
  CHECK(map.insert_async(items.begin(), items.end()).get() == 0);
  map.barrier();
  CHECK(map.size() == 2 * dash::size());
  map.barrier();
}

TEST_CASE("a hasher's hash_value may be the key itself: keys are told apart by it all the same") {
  dash::UnorderedMap<double, int, LastOwnsIntegers, SameInteger> map;
  // Of one hash there is room in a message for fewer.
  constexpr int many = 1000;
  if (me() == 0) {
    for (int i = 0; i < many; ++i)
      REQUIRE(map.insert({i + 0.25, i}).second);
  }
  map.barrier();
  CHECK(map.size() == many);
  for (int i = me(); i < many; i += 100)
    CHECK(map.value_of(i + 0.5) == i);
  map.barrier();
}
