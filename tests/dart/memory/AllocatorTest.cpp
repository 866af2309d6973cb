// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto

#include <algorithm>
#include <random>
#include <vector>

#include "dart/teams/Teams.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

TEST_CASE("A unit allocates alone from the pool of its team", "[Allocator]") {
  for_each_team([](dart_team_t team) {
    dart_allocator_t pool = nullptr;
    REQUIRE(dart_allocator_new(1000, team, &pool) == DART_OK);
    dart_gptr_t own;
    REQUIRE(dart_allocator_alloc(10, DART_TYPE_INT, &own, pool) == DART_OK);
    REQUIRE(own.unitid == id_in(team));
    REQUIRE(own.teamid == team);
    // Every unit receives the pointers of all units and reads through them.
    const int value = 100 + id_in(team);
    REQUIRE(dart_put_blocking(own, &value, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
    std::vector<dart_gptr_t> all(static_cast<std::size_t>(size_of(team)));
    REQUIRE(dart_allgather(&own, all.data(), sizeof own, DART_TYPE_BYTE, team) == DART_OK);
    for (int unit = 0; unit < size_of(team); ++unit) {
      int read = 0;
      REQUIRE(dart_get_blocking(&read, all[static_cast<std::size_t>(unit)], 1, DART_TYPE_INT,
                                DART_TYPE_INT) == DART_OK);
      REQUIRE(read == 100 + unit);
    }
    REQUIRE(dart_barrier(team) == DART_OK);
    REQUIRE(dart_allocator_destroy(&pool) == DART_OK);
    REQUIRE(pool == nullptr);
  });
}

TEST_CASE("A pool reuses freed memory and reports when it is exhausted", "[Allocator]") {
  dart_allocator_t pool = nullptr;
  REQUIRE(dart_allocator_new(100'000, DART_TEAM_ALL, &pool) == DART_OK);  // 128 KiB
  std::mt19937 random(seed() + static_cast<unsigned>(my_id()));
  std::vector<dart_gptr_t> live;
  for (int step = 0; step < 2000; ++step) {
    if (random() % 2 == 0) {
      dart_gptr_t gptr;
      const dart_ret_t ret = dart_allocator_alloc(random() % 5000, DART_TYPE_BYTE, &gptr, pool);
      REQUIRE((ret == DART_OK || ret == DART_ERR_NOMEM));
      REQUIRE(DART_GPTR_ISNULL(gptr) == (ret != DART_OK));
      if (ret == DART_OK) live.push_back(gptr);
    } else if (!live.empty()) {
      std::swap(live[random() % live.size()], live.back());
      REQUIRE(dart_allocator_free(&live.back(), pool) == DART_OK);
      REQUIRE(DART_GPTR_ISNULL(live.back()));
      live.pop_back();
    }
  }
  for (dart_gptr_t& gptr : live)
    REQUIRE(dart_allocator_free(&gptr, pool) == DART_OK);
  dart_gptr_t whole;
  REQUIRE(dart_allocator_alloc(128 * 1024, DART_TYPE_BYTE, &whole, pool) == DART_OK);
  dart_gptr_t more;
  REQUIRE(dart_allocator_alloc(1, DART_TYPE_BYTE, &more, pool) == DART_ERR_NOMEM);
  REQUIRE(last_error_has("1 bytes"));
  REQUIRE(dart_allocator_destroy(&pool) == DART_OK);
}

TEST_CASE("A pool of 4096 bytes serves 128 allocations of 32 bytes", "[Allocator]") {
  dart_allocator_t pool = nullptr;
  REQUIRE(dart_allocator_new(4096, DART_TEAM_ALL, &pool) == DART_OK);
  std::vector<dart_gptr_t> all;
  dart_gptr_t gptr;
  while (dart_allocator_alloc(32, DART_TYPE_BYTE, &gptr, pool) == DART_OK)
    all.push_back(gptr);
  CHECK(all.size() == 128);
  for (dart_gptr_t& each : all)
    REQUIRE(dart_allocator_free(&each, pool) == DART_OK);
  REQUIRE(dart_allocator_destroy(&pool) == DART_OK);
}

TEST_CASE("Invalid arguments of pools are errors", "[Allocator]") {
  dart_allocator_t pool = nullptr;
  dart_gptr_t gptr = DART_GPTR_NULL;
  REQUIRE(dart_allocator_new(1000, 55, &pool) == DART_ERR_INVAL);
  REQUIRE(dart_allocator_new(1000, DART_TEAM_ALL, nullptr) == DART_ERR_INVAL);
  REQUIRE(dart_allocator_new(SIZE_MAX, DART_TEAM_ALL, &pool) == DART_ERR_INVAL);
  REQUIRE(dart_allocator_new(std::size_t{1} << 60, DART_TEAM_ALL, &pool) == DART_ERR_NOMEM);
  REQUIRE(dart_allocator_alloc(1, DART_TYPE_INT, &gptr, nullptr) == DART_ERR_INVAL);
  REQUIRE(dart_allocator_new(1000, DART_TEAM_ALL, &pool) == DART_OK);
  REQUIRE(dart_allocator_alloc(1, DART_TYPE_UNDEFINED, &gptr, pool) == DART_ERR_INVAL);
  REQUIRE(dart_allocator_alloc(1, DART_TYPE_INT, nullptr, pool) == DART_ERR_INVAL);
  REQUIRE(dart_allocator_alloc(1, DART_TYPE_INT, &gptr, pool) == DART_OK);
  dart_gptr_t wrong = gptr;
  wrong.addr_or_offs.offset += 4;
  REQUIRE(dart_allocator_free(&wrong, pool) == DART_ERR_INVAL);
  wrong = gptr;
  REQUIRE(dart_allocator_free(&gptr, pool) == DART_OK);
  REQUIRE(dart_allocator_free(&wrong, pool) == DART_ERR_INVAL);
  dart_allocator_t copy = pool;
  REQUIRE(dart_allocator_destroy(&pool) == DART_OK);
  REQUIRE(dart_allocator_destroy(&copy) == DART_ERR_INVAL);
  REQUIRE(dart_allocator_destroy(nullptr) == DART_ERR_INVAL);
}
