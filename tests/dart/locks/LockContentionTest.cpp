// dash-test: parallel units=8 full-units=64 layouts=node,cliques,nolocal timeout=120 smoke=yes

#include "dash/dart/if/dart.h"
#include "support/Catch.h"

TEST_CASE("Many more units than processors contend for a lock without starving", "[Lock]") {
  size_t units = 0;
  dart_gptr_t counter;
  dart_lock_t lock = DART_LOCK_NULL;
  REQUIRE(dart_size(&units) == DART_OK);
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_LONG, &counter) == DART_OK);
  REQUIRE(dart_team_lock_init(DART_TEAM_ALL, &lock) == DART_OK);
  // Between nodes, a round of 64 units on two processors takes 50 ms.
  const long rounds = units > 8 ? 6 : 50;
  for (long i = 0; i < rounds; ++i) {
    long value = 0;
    REQUIRE(dart_lock_acquire(lock) == DART_OK);
    REQUIRE(dart_get_blocking(&value, counter, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    ++value;
    REQUIRE(dart_put_blocking(counter, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    REQUIRE(dart_lock_release(lock) == DART_OK);
  }
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  long total = 0;
  REQUIRE(dart_get_blocking(&total, counter, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
  REQUIRE(total == rounds * static_cast<long>(units));
  REQUIRE(dart_team_lock_destroy(&lock) == DART_OK);
  REQUIRE(dart_team_memfree(counter) == DART_OK);
}
