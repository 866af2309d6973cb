// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "dart/teams/Teams.h"
#include "support/Catch.h"

using namespace dash::test;

namespace {

dart_gptr_t at(dart_gptr_t gptr, int unit, std::size_t offset) {
  gptr.unitid = unit;
  gptr.addr_or_offs.offset = offset;
  return gptr;
}

}  // namespace

TEST_CASE("Registered memory is usable as global memory in every team", "[RegisteredMemory]") {
  // Disjoint teams of a host cannot create windows at the same time with Open MPI 4.1.
  const bool one_at_a_time = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  const auto use_memory = [](dart_team_t team) {
    const int n = size_of(team);
    const int me = id_in(team);
    // The units pass different numbers of elements, one of several units none.
    const auto count_of = [n](int unit) {
      return n > 1 && unit == n - 1 ? std::size_t{0} : static_cast<std::size_t>(100 + 50 * unit);
    };
    std::vector<int> mine(count_of(me));
    std::iota(mine.begin(), mine.end(), 1000 * me);
    dart_gptr_t gptr;
    REQUIRE(dart_team_memregister(team, mine.size(), DART_TYPE_INT,
                                  mine.empty() ? nullptr : mine.data(), &gptr) == DART_OK);
    REQUIRE(gptr.segid < 0);
    REQUIRE(gptr.teamid == team);
    for (int unit = 0; unit < n; ++unit) {
      const std::size_t count = count_of(unit);
      std::vector<int> read(count, -1);
      REQUIRE(dart_get_blocking(read.data(), at(gptr, unit, 0), count, DART_TYPE_INT,
                                DART_TYPE_INT) == DART_OK);
      for (std::size_t i = 0; i < count; ++i)
        REQUIRE(read[i] == 1000 * unit + static_cast<int>(i));
      int one = 0;
      REQUIRE(dart_get_blocking(&one, at(gptr, unit, sizeof(int) * count), 1, DART_TYPE_INT,
                                DART_TYPE_INT) == DART_ERR_INVAL);
    }
    REQUIRE(dart_barrier(team) == DART_OK);
    // Every unit adds one to the first element of unit 0 and writes another element.
    if (count_of(0) != 0) {
      const int one = 1;
      int old = -1;
      REQUIRE(dart_fetch_and_op(at(gptr, 0, 0), &one, &old, DART_TYPE_INT, DART_OP_SUM) == DART_OK);
      REQUIRE(dart_flush(at(gptr, 0, 0)) == DART_OK);
      REQUIRE((old >= 0 && old < n));
      const int value = -me;
      const auto offset = sizeof(int) * static_cast<std::size_t>(1 + me);
      REQUIRE(dart_put(at(gptr, 0, offset), &value, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
      REQUIRE(dart_flush_all(gptr) == DART_OK);
    }
    REQUIRE(dart_barrier(team) == DART_OK);
    if (me == 0 && !mine.empty()) {
      REQUIRE(mine[0] == n);
      for (int unit = 0; unit < n; ++unit)
        REQUIRE(mine[static_cast<std::size_t>(1 + unit)] == -unit);
    }
    void* address = &mine;
    REQUIRE(dart_gptr_getaddr(at(gptr, me, 0), &address) == DART_OK);
    REQUIRE(address == static_cast<void*>(mine.empty() ? nullptr : mine.data()));
    REQUIRE(dart_team_memderegister(gptr) == DART_OK);
    REQUIRE(dart_team_memderegister(gptr) == DART_ERR_INVAL);
  };
  for_each_team(use_memory, one_at_a_time);
}

TEST_CASE("Memory within global memory may be registered, and ends with its team",
          "[RegisteredMemory]") {
  // MPICH uses another base for a window that lies within another one.
  const Bytes outer(10'000);
  dart_team_t team = DART_TEAM_NULL;
  REQUIRE(dart_team_clone(DART_TEAM_ALL, &team) == DART_OK);
  dart_gptr_t inner;
  unsigned char* const begin = outer.mine() + 4096 + 64 * my_id();
  REQUIRE(dart_team_memregister_aligned(team, 500, DART_TYPE_BYTE, begin, &inner) == DART_OK);
  const int right = (my_id() + 1) % num_units();
  const auto mark = static_cast<unsigned char>(1 + my_id());
  REQUIRE(dart_put_blocking(at(inner, right, 7), &mark, 1, DART_TYPE_BYTE, DART_TYPE_BYTE) ==
          DART_OK);
  barrier();
  REQUIRE(begin[7] == 1 + (my_id() + num_units() - 1) % num_units());
  barrier();
  REQUIRE(dart_team_destroy(&team) == DART_OK);
  unsigned char byte = 0;
  REQUIRE(dart_get_blocking(&byte, at(inner, right, 7), 1, DART_TYPE_BYTE, DART_TYPE_BYTE) ==
          DART_ERR_INVAL);
}

TEST_CASE("dart_exit ends registrations that the program has not ended", "[RegisteredMemory]") {
  static int left = 17;
  dart_gptr_t gptr;
  REQUIRE(dart_team_memregister_aligned(DART_TEAM_ALL, 1, DART_TYPE_INT, &left, &gptr) == DART_OK);
  int read = 0;
  REQUIRE(dart_get_blocking(&read, at(gptr, num_units() - 1, 0), 1, DART_TYPE_INT, DART_TYPE_INT) ==
          DART_OK);
  REQUIRE(read == 17);
  barrier();
}

TEST_CASE("Invalid arguments of registration are errors", "[RegisteredMemory]") {
  int value = 0;
  dart_gptr_t gptr;
  REQUIRE(dart_team_memregister(71, 1, DART_TYPE_INT, &value, &gptr) == DART_ERR_INVAL);
  REQUIRE(DART_GPTR_ISNULL(gptr));
  REQUIRE(dart_team_memregister(DART_TEAM_ALL, 1, DART_TYPE_INT, nullptr, &gptr) == DART_ERR_INVAL);
  REQUIRE(dart_team_memregister(DART_TEAM_ALL, 1, DART_TYPE_LAST, &value, &gptr) == DART_ERR_INVAL);
  REQUIRE(dart_team_memregister(DART_TEAM_ALL, 1, DART_TYPE_INT, &value, nullptr) ==
          DART_ERR_INVAL);
  REQUIRE(dart_team_memderegister(DART_GPTR_NULL) == DART_OK);
  const Bytes heap(10);
  REQUIRE(dart_team_memderegister(heap.at(0)) == DART_ERR_INVAL);
  REQUIRE(last_error_has("dart_team_memregister"));
}
