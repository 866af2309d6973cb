// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/Future.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::test::my_id;
using dash::test::num_units;

namespace {

dart_gptr_t allocate(std::size_t nbytes) {
  dart_gptr_t gptr;
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &gptr) == DART_OK);
  return gptr;
}

/// A team of the caller only.
struct OwnTeam {
  OwnTeam() {
    dart_group_t group;
    REQUIRE(dart_group_create(&group) == DART_OK);
    REQUIRE(dart_group_addmember(group, dart_create_global_unit(my_id())) == DART_OK);
    REQUIRE(dart_team_create(DART_TEAM_ALL, group, &id) == DART_OK);
    REQUIRE(dart_group_destroy(&group) == DART_OK);
  }
  ~OwnTeam() { CHECK(dart_team_destroy(&id) == DART_OK); }

  dart_team_t id = DART_TEAM_NULL;
};

unsigned char* mine(dart_gptr_t gptr) {
  gptr.unitid = my_id();
  void* address = nullptr;
  REQUIRE(dart_gptr_getaddr(gptr, &address) == DART_OK);
  return static_cast<unsigned char*>(address);
}

}  // namespace

TEST_CASE("A segment has the same pointer on all units and is zero", "[GlobalMemory]") {
  const dart_gptr_t gptr = allocate(100'000);
  REQUIRE(gptr.unitid == 0);
  REQUIRE(gptr.addr_or_offs.offset == 0);
  std::vector<dart_gptr_t> all(num_units());
  REQUIRE(dart_allgather(&gptr, all.data(), sizeof gptr, DART_TYPE_BYTE, DART_TEAM_ALL) == DART_OK);
  for (const dart_gptr_t& other : all)
    REQUIRE(DART_GPTR_EQUAL(gptr, other));
  const unsigned char* begin = mine(gptr);
  REQUIRE(reinterpret_cast<std::uintptr_t>(begin) % 64 == 0);
  REQUIRE(std::all_of(begin, begin + 100'000, [](unsigned char byte) { return byte == 0; }));
  REQUIRE(dart_team_memfree(gptr) == DART_OK);
}

TEST_CASE("Segments begin at different cache lines of their pages", "[GlobalMemory]") {
  std::vector<dart_gptr_t> segments;
  std::set<std::uintptr_t> begins;
  for (int i = 0; i < 8; ++i) {
    segments.push_back(allocate(10'000));
    begins.insert(reinterpret_cast<std::uintptr_t>(mine(segments.back())) % 4096);
  }
  REQUIRE(begins.size() == segments.size());
  for (const dart_gptr_t& segment : segments)
    REQUIRE(dart_team_memfree(segment) == DART_OK);
}

TEST_CASE("Reused memory of any size is zeroed", "[GlobalMemory]") {
  for (const std::size_t nbytes : {std::size_t{1}, std::size_t{5000}, std::size_t{3'000'000}}) {
    for (int round = 0; round < 3; ++round) {
      const dart_gptr_t gptr = allocate(nbytes);
      unsigned char* begin = mine(gptr);
      REQUIRE(std::all_of(begin, begin + nbytes, [](unsigned char byte) { return byte == 0; }));
      std::fill(begin, begin + nbytes, static_cast<unsigned char>(0xFF));
      REQUIRE(dart_team_memfree(gptr) == DART_OK);
    }
  }
}

TEST_CASE("An empty segment is valid", "[GlobalMemory]") {
  const dart_gptr_t empty = allocate(0);
  REQUIRE_FALSE(DART_GPTR_ISNULL(empty));
  unsigned char byte = 1;
  REQUIRE(dart_get_blocking(&byte, empty, 0, DART_TYPE_BYTE, DART_TYPE_BYTE) == DART_OK);
  REQUIRE(dart_get_blocking(&byte, empty, 1, DART_TYPE_BYTE, DART_TYPE_BYTE) == DART_ERR_INVAL);
  REQUIRE(dart_team_memfree(empty) == DART_OK);
  REQUIRE(dart_team_memfree(DART_GPTR_NULL) == DART_OK);
}

TEST_CASE("Segments do not overlap after random allocations and frees", "[GlobalMemory]") {
  struct Live {
    dart_gptr_t gptr;
    std::size_t nbytes;
    unsigned char mark;
  };
  std::vector<Live> live;
  std::mt19937 random(dash::test::seed());  // equal on all units
  for (int step = 0; step < 400; ++step) {
    if (live.size() < 60 && random() % 3 != 0) {
      const std::size_t nbytes = random() % 20'000;
      const auto mark = static_cast<unsigned char>(1 + random() % 255);
      live.push_back({allocate(nbytes), nbytes, mark});
      std::fill_n(mine(live.back().gptr), nbytes, mark);
    } else if (!live.empty()) {
      const std::size_t victim = random() % live.size();
      const Live& segment = live[victim];
      const unsigned char* begin = mine(segment.gptr);
      REQUIRE(std::all_of(begin, begin + segment.nbytes,
                          [&](unsigned char byte) { return byte == segment.mark; }));
      REQUIRE(dart_team_memfree(segment.gptr) == DART_OK);
      REQUIRE(dart_team_memfree(segment.gptr) == DART_ERR_INVAL);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
    }
  }
  for (const Live& segment : live)
    REQUIRE(dart_team_memfree(segment.gptr) == DART_OK);
}

TEST_CASE("Ids of live segments are unique, and the id freed last is used next", "[GlobalMemory]") {
  std::set<int> ids;
  std::vector<dart_gptr_t> live;
  for (int i = 0; i < 200; ++i) {
    live.push_back(allocate(8));
    REQUIRE(ids.insert(live.back().segid).second);
  }
  const int freed = live.back().segid;
  for (const dart_gptr_t& gptr : live)
    REQUIRE(dart_team_memfree(gptr) == DART_OK);
  for (int i = 0; i < 300; ++i) {  // more than there are generations
    const dart_gptr_t next = allocate(8);
    REQUIRE(next.segid == freed);
    REQUIRE(dart_team_memfree(next) == DART_OK);
  }
}

TEST_CASE("A pointer to a freed segment is invalid when its id has been reused", "[GlobalMemory]") {
  const dart_gptr_t stale = allocate(8);
  REQUIRE(dart_team_memfree(stale) == DART_OK);
  const dart_gptr_t reused = allocate(8);
  REQUIRE(reused.segid == stale.segid);
  std::uint64_t value = 0;
  const auto get = [&](const dart_gptr_t& gptr) {
    return dart_get_blocking(&value, gptr, 1, DART_TYPE_ULONG, DART_TYPE_ULONG);
  };
  CHECK(get(reused) == DART_OK);
  CHECK(get(stale) == DART_ERR_INVAL);
  CHECK(std::string(dart_last_error()).find("has been freed") != std::string::npos);
  CHECK(dart_put_blocking(stale, &value, 1, DART_TYPE_ULONG, DART_TYPE_ULONG) == DART_ERR_INVAL);
  void* address = nullptr;
  CHECK(dart_gptr_getaddr(stale, &address) == DART_ERR_INVAL);
  CHECK(dart_team_memfree(stale) == DART_ERR_INVAL);
  // A pointer that a program composes is not checked.
  dart_gptr_t composed = DART_GPTR_NULL;
  composed.unitid = 0;
  composed.segid = reused.segid;
  composed.teamid = reused.teamid;
  CHECK(get(composed) == DART_OK);
  // Flags belong to the segment, and leave the pointers as they are.
  dart_gptr_t flagged = reused;
  REQUIRE(dart_gptr_setflags(&flagged, 0x81) == DART_OK);
  std::uint16_t flags = 0;
  CHECK(dart_gptr_getflags(reused, &flags) == DART_OK);
  CHECK(flags == 0x81);
  CHECK(get(flagged) == DART_OK);
  CHECK(get(stale) == DART_ERR_INVAL);
  dart_barrier(DART_TEAM_ALL);
  REQUIRE(dart_team_memfree(reused) == DART_OK);
}

TEST_CASE("Units with different histories of ids agree on one", "[GlobalMemory]") {
  const OwnTeam own;
  // All units have used the same id last, but a different number of times, and other ids before.
  dart_gptr_t segment;
  for (int use = 0; use <= my_id(); ++use) {
    REQUIRE(dart_team_memalloc_aligned(own.id, 8, DART_TYPE_BYTE, &segment) == DART_OK);
    REQUIRE(dart_team_memfree(segment) == DART_OK);
  }
  REQUIRE(dart_barrier(own.id) == DART_OK);
  for (int i = 0; i < 20; ++i) {
    const dart_gptr_t gptr = allocate(8);
    std::vector<dart_gptr_t> all(num_units());
    REQUIRE(dart_allgather(&gptr, all.data(), sizeof gptr, DART_TYPE_BYTE, DART_TEAM_ALL) ==
            DART_OK);
    for (const dart_gptr_t& other : all) {
      REQUIRE(DART_GPTR_EQUAL(gptr, other));
      REQUIRE(gptr.flags == other.flags);
    }
    if (i % 3 == 0) REQUIRE(dart_team_memfree(gptr) == DART_OK);
  }
  // The units have freed different numbers of segments.
  std::vector<dart_gptr_t> segments(static_cast<std::size_t>(2 + 3 * my_id()));
  for (dart_gptr_t& each : segments)
    REQUIRE(dart_team_memalloc_aligned(own.id, 8, DART_TYPE_BYTE, &each) == DART_OK);
  for (const dart_gptr_t& each : segments)
    REQUIRE(dart_team_memfree(each) == DART_OK);
  REQUIRE(dart_barrier(own.id) == DART_OK);
  const dart_gptr_t first = allocate(8);
  REQUIRE(dart_team_memfree(first) == DART_OK);
  const dart_gptr_t second = allocate(8);
  REQUIRE(second.segid == first.segid);
  REQUIRE(dart_team_memfree(second) == DART_OK);
}

TEST_CASE("Requesting too much memory is an error on all units, and the runtime stays usable",
          "[GlobalMemory]") {
  dart_gptr_t gptr;
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, std::size_t{1} << 50, DART_TYPE_BYTE, &gptr) ==
          DART_ERR_NOMEM);
  REQUIRE(DART_GPTR_ISNULL(gptr));
  REQUIRE(std::string(dart_last_error()).find("DART_HEAP_SIZE") != std::string::npos);
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, SIZE_MAX / 4, DART_TYPE_DOUBLE, &gptr) ==
          DART_ERR_INVAL);
  REQUIRE(dart_team_memfree(allocate(1000)) == DART_OK);
}

TEST_CASE("Units may request different sizes; the segment has the largest", "[GlobalMemory]") {
  const auto nbytes_of = [](int unit) { return static_cast<std::size_t>(100'000 * unit); };
  const dart_gptr_t gptr = allocate(nbytes_of(my_id()));
  const int last = num_units() - 1;
  for (int unit = 0; unit <= last; ++unit) {
    dart_gptr_t begin = gptr;
    begin.unitid = unit;
    begin.addr_or_offs.offset = nbytes_of(last);
    char byte = 1;
    REQUIRE(dart_get_blocking(&byte, begin, 0, DART_TYPE_BYTE, DART_TYPE_BYTE) == DART_OK);
    REQUIRE(dart_get_blocking(&byte, begin, 1, DART_TYPE_BYTE, DART_TYPE_BYTE) == DART_ERR_INVAL);
    if (last == 0) continue;
    begin.addr_or_offs.offset -= 1;
    REQUIRE(dart_get_blocking(&byte, begin, 1, DART_TYPE_BYTE, DART_TYPE_BYTE) == DART_OK);
    REQUIRE(byte == 0);
  }
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  REQUIRE(dart_team_memfree(gptr) == DART_OK);
}

TEST_CASE("A request that one unit cannot satisfy is an error on all units", "[GlobalMemory]") {
  dart_gptr_t gptr;
  const std::size_t nbytes = my_id() == 0 ? std::size_t{1} << 50 : 10;
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &gptr) ==
          DART_ERR_NOMEM);
  REQUIRE(dart_team_memalloc_aligned(7, 1, DART_TYPE_BYTE, &gptr) == DART_ERR_INVAL);
}

TEST_CASE("Non-collective memory is usable by all units that have its pointer", "[GlobalMemory]") {
  dart_gptr_t own;
  REQUIRE(dart_memalloc(10, DART_TYPE_INT, &own) == DART_OK);
  REQUIRE(own.segid == DART_SEGMENT_LOCAL);
  REQUIRE(own.unitid == my_id());
  std::vector<dart_gptr_t> all(num_units());
  REQUIRE(dart_allgather(&own, all.data(), sizeof own, DART_TYPE_BYTE, DART_TEAM_ALL) == DART_OK);
  const std::size_t next = (static_cast<std::size_t>(my_id()) + 1) % num_units();
  const int value = 100 + my_id();
  REQUIRE(dart_put_blocking(all[next], &value, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  void* address = nullptr;
  REQUIRE(dart_gptr_getaddr(own, &address) == DART_OK);
  const int from =
      static_cast<int>((static_cast<std::size_t>(my_id()) + num_units() - 1) % num_units());
  REQUIRE(*static_cast<int*>(address) == 100 + from);
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  if (num_units() > 1) REQUIRE(dart_memfree(all[next]) == DART_ERR_INVAL);
  REQUIRE(dart_memfree(own) == DART_OK);
  REQUIRE(dart_memfree(own) == DART_ERR_INVAL);
}

TEST_CASE("Non-collective memory is zeroed, even if it is reused", "[GlobalMemory]") {
  for (int round = 0; round < 3; ++round) {
    dart_gptr_t gptr;
    REQUIRE(dart_memalloc(10'000, DART_TYPE_BYTE, &gptr) == DART_OK);
    void* address = nullptr;
    REQUIRE(dart_gptr_getaddr(gptr, &address) == DART_OK);
    auto* begin = static_cast<unsigned char*>(address);
    REQUIRE(std::all_of(begin, begin + 10'000, [](unsigned char byte) { return byte == 0; }));
    std::fill(begin, begin + 10'000, static_cast<unsigned char>(0xFF));
    REQUIRE(dart_memfree(gptr) == DART_OK);
  }
}

TEST_CASE("Continuations may allocate while their unit allocates collectively", "[GlobalMemory]") {
  dash::Promise<void> promise;
  dart_gptr_t inner = DART_GPTR_NULL;
  dash::Future<void> done = promise.get_future().then(
      [&] { REQUIRE(dart_memalloc(8, DART_TYPE_BYTE, &inner) == DART_OK); });
  std::thread setter([&] { promise.set_value(); });
  REQUIRE(dart_team_memfree(allocate(1000)) == DART_OK);
  done.get();
  setter.join();
  REQUIRE(dart_memfree(inner) == DART_OK);
}

TEST_CASE("Exhausting the local pool is an error, and freed memory is available again",
          "[GlobalMemory]") {
  dart_gptr_t gptr;
  REQUIRE(dart_memalloc(std::size_t{1} << 45, DART_TYPE_BYTE, &gptr) == DART_ERR_NOMEM);
  REQUIRE(DART_GPTR_ISNULL(gptr));
  REQUIRE(dart_memalloc(8, DART_TYPE_BYTE, &gptr) == DART_OK);
  REQUIRE(dart_memfree(gptr) == DART_OK);
}

TEST_CASE("Addresses and global pointers of the caller's memory convert to each other",
          "[GlobalMemory]") {
  dart_gptr_t gptr = allocate(1000);
  gptr.unitid = my_id();
  unsigned char* begin = mine(gptr);
  REQUIRE(dart_gptr_setaddr(&gptr, begin + 123) == DART_OK);
  REQUIRE(gptr.addr_or_offs.offset == 123);
  REQUIRE(dart_gptr_incaddr(&gptr, -23) == DART_OK);
  REQUIRE(mine(gptr) == begin + 100);
  REQUIRE(dash::dart::on_node_address(gptr, 900) == begin + 100);
  REQUIRE(dash::dart::on_node_address(gptr, 901) == nullptr);
  REQUIRE(dart_gptr_setaddr(&gptr, begin + 1001) == DART_ERR_INVAL);
  REQUIRE(dart_gptr_setaddr(&gptr, nullptr) == DART_ERR_INVAL);
  gptr.addr_or_offs.offset = 0;
  if (num_units() > 1) {
    // A pointer to another unit's memory has no address, even on the same node.
    REQUIRE(dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID((my_id() + 1) %
                                                       static_cast<int>(num_units()))) == DART_OK);
    void* address = &gptr;
    REQUIRE(dart_gptr_getaddr(gptr, &address) == DART_OK);
    REQUIRE(address == nullptr);
  }
  gptr.unitid = 0;
  REQUIRE(dart_team_memfree(gptr) == DART_OK);
}
