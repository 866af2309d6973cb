// dash-test: parallel units=2,3 full-units=4 layouts=node,nolocal,cliques modes=auto,poll

// When the memory of segments is released: not before all units have freed them, and not while MPI sends it to other units.
// The tests of `registration` run this one with a simulated network, which checks that MPI does not read released memory.

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "dart/support/Fixture.h"
#include "dart/teams/Teams.h"
#include "dash/dart/Collective.h"
#include "support/Catch.h"

using namespace dash::test;

namespace {

constexpr int rounds = 30;
constexpr std::size_t nbytes = 700'000;
constexpr std::size_t mebi = 1024 * 1024;

/// Each unit fills its part, and reads that of the next unit.
/// \param part_of  returns the pointer to the part of a unit
/// \collective over all units
template <class PartOf>
void exchange(const PartOf& part_of, void* own, char value) {
  const int next = (my_id() + 1) % num_units();
  std::memset(own, value + my_id(), nbytes);
  barrier();
  std::vector<char> received(nbytes);
  REQUIRE(dart_get_blocking(received.data(), part_of(next), nbytes, DART_TYPE_BYTE,
                            DART_TYPE_BYTE) == DART_OK);
  REQUIRE(received == std::vector<char>(nbytes, static_cast<char>(value + next)));
  barrier();
}

/// Units free a segment of the team one after the other. The next one then adds 1 to all bytes of the freed parts, so that
/// these have the number of the unit that was the last to free its part.
void free_one_after_the_other(dart_team_t team, std::size_t size) {
  const SubTeam others(DART_TEAM_ALL, globals_of(DART_TEAM_ALL));
  dart_gptr_t segment = DART_GPTR_NULL;
  REQUIRE(dart_team_memalloc_aligned(team, size, DART_TYPE_BYTE, &segment) == DART_OK);
  const auto at = [&](int unit) {
    dart_gptr_t gptr = segment;
    gptr.unitid = unit;
    gptr.addr_or_offs.offset = size - nbytes;
    return gptr;
  };
  void* own = nullptr;
  REQUIRE(dart_gptr_getaddr(at(my_id()), &own) == DART_OK);
  std::memset(own, my_id(), nbytes);
  REQUIRE(dart_barrier(others.id()) == DART_OK);  // a barrier of another team releases nothing
  for (int unit = 0; unit < num_units(); ++unit) {
    if (my_id() == unit) {
      REQUIRE(dart_team_memfree(segment) == DART_OK);
      REQUIRE(dart_get_blocking(own, at(unit), 1, DART_TYPE_BYTE, DART_TYPE_BYTE) ==
              DART_ERR_INVAL);
    }
    REQUIRE(dart_barrier(others.id()) == DART_OK);
    if (my_id() == unit + 1) {
      for (int freed = 0; freed <= unit; ++freed) {
        std::vector<char> values(nbytes);
        REQUIRE(dart_get_blocking(values.data(), at(freed), nbytes, DART_TYPE_BYTE,
                                  DART_TYPE_BYTE) == DART_OK);
        CHECK(values == std::vector<char>(nbytes, static_cast<char>(unit)));
        std::fill(values.begin(), values.end(), static_cast<char>(unit + 1));
        REQUIRE(dart_put_blocking(at(freed), values.data(), nbytes, DART_TYPE_BYTE,
                                  DART_TYPE_BYTE) == DART_OK);
      }
    }
    REQUIRE(dart_barrier(others.id()) == DART_OK);
  }
}

/// The first page of the caller's part.
std::uintptr_t page_of(const Bytes& segment) {
  return reinterpret_cast<std::uintptr_t>(segment.mine()) / 4096;
}

}  // namespace

TEST_CASE("Freed memory keeps its contents until all units have freed it", "[FreedMemory]") {
  free_one_after_the_other(DART_TEAM_ALL, nbytes);
  const SubTeam team(DART_TEAM_ALL, globals_of(DART_TEAM_ALL));
  free_one_after_the_other(team.id(), nbytes);
  free_one_after_the_other(team.id(), 50 * mebi);  // in no window
}

TEST_CASE("The next allocation of a team releases its freed memory", "[FreedMemory]") {
  const SubTeam team(DART_TEAM_ALL, globals_of(DART_TEAM_ALL));
  std::uintptr_t first = 0;
  for (int round = 0; round < 4; ++round) {
    const Bytes segment(5 * mebi, team.id());
    if (round == 0) first = page_of(segment);
    CHECK(page_of(segment) == first);
    CHECK(std::count(segment.mine(), segment.mine() + segment.size(), 0) == 5 * mebi);
    std::memset(segment.mine(), 1, segment.size());
  }
}

TEST_CASE("Each kind of barrier of a team releases its freed memory", "[FreedMemory]") {
  const bool is_of_cpp = GENERATE(false, true);
  const SubTeam team(DART_TEAM_ALL, globals_of(DART_TEAM_ALL));
  const SubTeam other(DART_TEAM_ALL, globals_of(DART_TEAM_ALL));
  std::uintptr_t first = 0;
  {
    const Bytes segment(5 * mebi, team.id());
    first = page_of(segment);
  }
  {
    const Bytes segment(5 * mebi, other.id());
    CHECK(page_of(segment) != first);
  }
  if (is_of_cpp) {
    dash::dart::collectives_of(team.id())->barrier();  // as dash::Team::barrier() does
  } else {
    REQUIRE(dart_barrier(team.id()) == DART_OK);
  }
  const Bytes segment(5 * mebi, other.id());
  CHECK(page_of(segment) == first);
}

TEST_CASE("Global memory in no window is freed after other units have read it", "[FreedMemory]") {
  const SubTeam team(DART_TEAM_ALL, globals_of(DART_TEAM_ALL));
  for (int round = 0; round < rounds; ++round) {
    // Too large for the first slab. Only the team of all units has further slabs.
    const Bytes segment((my_id() == 0 ? 50 : 4) * mebi, team.id());
    exchange([&](int unit) { return segment.at(unit); }, segment.mine(), static_cast<char>(round));
  }
}

TEST_CASE("Registered memory is unmapped after other units have read it", "[FreedMemory]") {
  for (int round = 0; round < rounds; ++round) {
    void* const own =
        ::mmap(nullptr, mebi, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(own != MAP_FAILED);
    dart_gptr_t segment = DART_GPTR_NULL;
    REQUIRE(dart_team_memregister(DART_TEAM_ALL, mebi, DART_TYPE_BYTE, own, &segment) == DART_OK);
    const auto part_of = [segment](int unit) {
      dart_gptr_t part = segment;
      part.unitid = unit;
      return part;
    };
    exchange(part_of, own, static_cast<char>(round));
    REQUIRE(dart_team_memderegister(segment) == DART_OK);
    REQUIRE(::munmap(own, mebi) == 0);
  }
}
