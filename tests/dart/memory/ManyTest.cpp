// dash-test: parallel units=1,3 full-units=2,4 layouts=node,cliques modes=auto timeout=120

// Many teams and segments: all of their resources are freed, and no resource is exhausted.

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "LargeMemory.h"
#include "dart/teams/Teams.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

namespace {

std::size_t num_entries(const std::string& directory) {
  std::size_t n = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory))
    ++n;
  return n;
}

std::size_t num_mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t n = 0;
  for (std::string line; std::getline(maps, line);)
    ++n;
  return n;
}

/// Resident memory of the heaps in this process, in KiB. Counted page by page, since the sums in the status
/// of a process are inaccurate by some pages per thread or processor.
std::size_t heap_kib() {
  std::ifstream maps("/proc/self/smaps");
  std::size_t sum = 0;
  bool is_heap = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string first;
    std::size_t kib = 0;
    words >> first;
    if (!first.ends_with(':')) {
      is_heap = line.find("dash-heap") != std::string::npos;
    } else if (is_heap && first == "Rss:" && words >> kib) {
      sum += kib;
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("2,500 teams are created and destroyed without a leak", "[Many]") {
  // More than MPICH's limit of communicators.
  const std::vector<int> all = globals_of(DART_TEAM_ALL);
  const auto cycle = [&](int i) {
    const SubTeam team(DART_TEAM_ALL, select(all, [i](int u) { return (u + i) % 3 != 0; }));
    if (!team.is_member()) return;
    dart_gptr_t gptr;
    REQUIRE(dart_team_memalloc_aligned(team.id(), 10'000, DART_TYPE_BYTE, &gptr) == DART_OK);
    void* own = nullptr;
    gptr.unitid = id_in(team.id());
    REQUIRE(dart_gptr_getaddr(gptr, &own) == DART_OK);
    *static_cast<char*>(own) = 1;
    REQUIRE(dart_barrier(team.id()) == DART_OK);
  };
  for (int i = 0; i < 50; ++i)
    cycle(i);
  const std::size_t mappings = num_mappings();
  const std::size_t files = num_entries("/proc/self/fd");
  const std::size_t touched = heap_kib();
  for (int i = 0; i < 2500; ++i)
    cycle(i);
  // Units that have not left their last calls may still use pages of a few teams.
  REQUIRE(heap_kib() <= touched + 256);
  REQUIRE(num_entries("/proc/self/fd") == files);
  REQUIRE(num_mappings() <= mappings + 16);  // the sanitizer adds and removes some
}

TEST_CASE("10,000 segments are usable at the same time", "[Many]") {
  constexpr int count = 10'000;
  std::vector<dart_gptr_t> live;
  for (int i = 0; i < count; ++i) {
    live.emplace_back();
    REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_INT, &live.back()) == DART_OK);
  }
  for (int i = 0; i < count; ++i) {
    dart_gptr_t right = live[static_cast<std::size_t>(i)];
    right.unitid = (my_id() + 1) % num_units();
    const int value = 3 * i + my_id();
    REQUIRE(dart_put(right, &value, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
    REQUIRE(dart_flush(right) == DART_OK);
  }
  barrier();
  for (int i = 0; i < count; ++i) {
    dart_gptr_t own = live[static_cast<std::size_t>(i)];
    own.unitid = my_id();
    int value = -1;
    REQUIRE(dart_get_blocking(&value, own, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
    REQUIRE(value == 3 * i + (my_id() + num_units() - 1) % num_units());
  }
  barrier();
  std::mt19937 random(seed());
  std::shuffle(live.begin(), live.end(), random);
  for (const dart_gptr_t& gptr : live)
    REQUIRE(dart_team_memfree(gptr) == DART_OK);
}

TEST_CASE("Exhausting the ids of segments is an error, and freed ids are available again",
          "[Many]") {
  std::vector<dart_gptr_t> live;
  dart_gptr_t gptr;
  while (dart_team_memalloc_aligned(DART_TEAM_ALL, 0, DART_TYPE_INT, &gptr) == DART_OK)
    live.push_back(gptr);
  REQUIRE(live.size() == 32767);
  REQUIRE(last_error_has("32767"));
  for (const dart_gptr_t& each : live)
    REQUIRE(dart_team_memfree(each) == DART_OK);
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, 0, DART_TYPE_INT, &gptr) == DART_OK);
  REQUIRE(dart_team_memfree(gptr) == DART_OK);
}

TEST_CASE("The end of a segment of more than 4 GiB is accessible", "[Many]") {
  // A segment of this size is committed at once, so the machine must have the memory.
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  if (num_units() != 1) DASH_SKIP("for one unit only");
  if (!has_memory(9 * gib / 2)) DASH_SKIP("needs more memory than the machine has");
  dart_gptr_t gptr;
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, 9 * gib / 2, DART_TYPE_BYTE, &gptr) == DART_OK);
  gptr.addr_or_offs.offset = 9 * gib / 2 - 8;
  const double value = 1.5;
  double read = 0;
  REQUIRE(dart_put_blocking(gptr, &value, 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE) == DART_OK);
  REQUIRE(dart_get_blocking(&read, gptr, 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE) == DART_OK);
  REQUIRE(read == value);
  REQUIRE(dart_team_memfree(gptr) == DART_OK);
}
