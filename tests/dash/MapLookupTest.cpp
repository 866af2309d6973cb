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
