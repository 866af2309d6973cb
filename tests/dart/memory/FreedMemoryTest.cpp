// dash-test: parallel units=2,3 full-units=4 layouts=nolocal,cliques modes=auto,poll

// Memory that its owner sends to other units, because it lies in no window, is freed as soon as they have received it. The
// tests of `registration` run this one with a simulated network, which checks that MPI does not read the memory any more.

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"

namespace {

constexpr int rounds = 30;
constexpr std::size_t nbytes = 700'000;
constexpr std::size_t mebi = 1024 * 1024;

int my_id() {
  dart_global_unit_t me{};
  REQUIRE(dart_myid(&me) == DART_OK);
  return me.id;
}

/// Each unit of the team fills its part, and reads that of the next unit. \collective over the team
void exchange(dart_team_t team, dart_gptr_t segment, void* own, char value) {
  std::size_t units = 0;
  REQUIRE(dart_team_size(team, &units) == DART_OK);
  const int next = (my_id() + 1) % static_cast<int>(units);
  std::memset(own, value + my_id(), nbytes);
  REQUIRE(dart_barrier(team) == DART_OK);
  std::vector<char> received(nbytes);
  segment.unitid = next;
  REQUIRE(dart_get_blocking(received.data(), segment, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE) ==
          DART_OK);
  REQUIRE(received == std::vector<char>(nbytes, static_cast<char>(value + next)));
  REQUIRE(dart_barrier(team) == DART_OK);
}

dart_team_t clone_of_all() {
  dart_team_t team = DART_TEAM_NULL;
  REQUIRE(dart_team_clone(DART_TEAM_ALL, &team) == DART_OK);
  return team;
}

}  // namespace

TEST_CASE("Global memory in no window is freed after other units have read it", "[FreedMemory]") {
  dart_team_t team = clone_of_all();
  // Too large for the first slab. Only the team of all units has further slabs.
  const std::size_t size = (my_id() == 0 ? 50 : 4) * mebi;
  for (int round = 0; round < rounds; ++round) {
    dart_gptr_t segment = DART_GPTR_NULL;
    REQUIRE(dart_team_memalloc_aligned(team, size, DART_TYPE_BYTE, &segment) == DART_OK);
    dart_gptr_t own_part = segment;
    own_part.unitid = my_id();
    void* own = nullptr;
    REQUIRE(dart_gptr_getaddr(own_part, &own) == DART_OK);
    exchange(team, segment, own, static_cast<char>(round));
    REQUIRE(dart_team_memfree(segment) == DART_OK);
  }
  REQUIRE(dart_team_destroy(&team) == DART_OK);
}

TEST_CASE("Registered memory is unmapped after other units have read it", "[FreedMemory]") {
  dart_team_t team = clone_of_all();
  for (int round = 0; round < rounds; ++round) {
    void* const own =
        ::mmap(nullptr, mebi, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(own != MAP_FAILED);
    dart_gptr_t segment = DART_GPTR_NULL;
    REQUIRE(dart_team_memregister(team, mebi, DART_TYPE_BYTE, own, &segment) == DART_OK);
    exchange(team, segment, own, static_cast<char>(round));
    REQUIRE(dart_team_memderegister(segment) == DART_OK);
    REQUIRE(::munmap(own, mebi) == 0);
  }
  REQUIRE(dart_team_destroy(&team) == DART_OK);
}
