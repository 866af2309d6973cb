// dash-test: parallel units=2,3 full-units=4 layouts=nolocal,cliques modes=auto,poll

// Memory that its owner sends to other units, because it lies in no window, is freed as soon as they have received it. The
// tests of `registration` run this one with a simulated network, which checks that MPI does not read the memory any more.

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "dart/support/Fixture.h"
#include "dart/teams/Teams.h"
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

}  // namespace

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
