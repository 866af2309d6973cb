// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include <map>
#include <random>
#include <set>

#include "Teams.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

namespace {

dart_gptr_t allocate(dart_team_t team, std::size_t nbytes) {
  dart_gptr_t gptr;
  REQUIRE(dart_team_memalloc_aligned(team, nbytes, DART_TYPE_BYTE, &gptr) == DART_OK);
  REQUIRE(gptr.teamid == team);
  return gptr;
}

/// Each unit of the segment's team writes to its right neighbour, which reads the value.
void check_segment(dart_team_t team, dart_gptr_t gptr, int mark) {
  const int n = size_of(team);
  const int me = id_in(team);
  dart_gptr_t right = gptr;
  right.unitid = (me + 1) % n;
  const int value = 1000 * mark + me;
  REQUIRE(dart_put_blocking(right, &value, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
  REQUIRE(dart_barrier(team) == DART_OK);
  dart_gptr_t own = gptr;
  own.unitid = me;
  void* address = nullptr;
  REQUIRE(dart_gptr_getaddr(own, &address) == DART_OK);
  REQUIRE(*static_cast<int*>(address) == 1000 * mark + (me + n - 1) % n);
  int read = 0;
  REQUIRE(dart_get_blocking(&read, right, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_OK);
  REQUIRE(read == value);
  REQUIRE(dart_barrier(team) == DART_OK);
}

/// Checks the ids and the group of a team of all odd units.
void check_odd_units(dart_team_t team) {
  const int n = num_units();
  REQUIRE(size_of(team) == n / 2);
  REQUIRE(id_in(team) == my_id() / 2);
  for (int global = 0; global < n; ++global) {
    dart_team_unit_t local;
    REQUIRE(dart_team_unit_g2l(team, global, &local) == DART_OK);
    REQUIRE(local.id == (global % 2 == 1 ? global / 2 : -1));
  }
  dart_global_unit_t global;
  REQUIRE(dart_team_unit_l2g(team, n / 2, &global) == DART_ERR_INVAL);
  REQUIRE(dart_team_unit_l2g(team, -1, &global) == DART_ERR_INVAL);
  dart_group_t group = DART_GROUP_NULL;
  REQUIRE(dart_team_get_group(team, &group) == DART_OK);
  std::size_t members = 0;
  REQUIRE(dart_group_size(group, &members) == DART_OK);
  REQUIRE(members == static_cast<std::size_t>(n / 2));
  REQUIRE(dart_group_destroy(&group) == DART_OK);
}

}  // namespace

TEST_CASE("The units of a team are ascending by their global ids", "[Team]") {
  const int n = num_units();
  // Passed in descending order.
  std::vector<int> odd;
  for (int unit = n - 1; unit >= 0; --unit) {
    if (unit % 2 == 1) odd.push_back(unit);
  }
  const SubTeam team(DART_TEAM_ALL, odd);
  REQUIRE(team.is_member() == (my_id() % 2 == 1));
  if (team.is_member()) check_odd_units(team.id());
}

TEST_CASE("Creating a team of an empty group gives no team", "[Team]") {
  // This needs no communication, so only one unit calls it.
  if (my_id() == 0) {
    const SubTeam none(DART_TEAM_ALL, {});
    REQUIRE_FALSE(none.is_member());
  }
}

TEST_CASE("Teams that are halved down to single units have separate memory", "[Team]") {
  // Each level splits every team of the level above; all are alive at once.
  std::vector<dart_team_t> mine{DART_TEAM_ALL};
  while (size_of(mine.back()) > 1) {
    const std::vector<int> units = globals_of(mine.back());
    const std::size_t half = units.size() / 2;
    dart_group_t lower = make_group({units.begin(), units.begin() + static_cast<long>(half)});
    dart_group_t upper = make_group({units.begin() + static_cast<long>(half), units.end()});
    // One call for each half, as in the C++ layer.
    dart_team_t first = DART_TEAM_NULL;
    dart_team_t second = DART_TEAM_NULL;
    REQUIRE(dart_team_create(mine.back(), lower, &first) == DART_OK);
    REQUIRE(dart_team_create(mine.back(), upper, &second) == DART_OK);
    REQUIRE((first == DART_TEAM_NULL) != (second == DART_TEAM_NULL));
    dart_group_destroy(&lower);
    dart_group_destroy(&upper);
    mine.push_back(first != DART_TEAM_NULL ? first : second);
  }
  REQUIRE(std::set<int>(mine.begin(), mine.end()).size() == mine.size());
  std::vector<dart_gptr_t> segments;
  for (const dart_team_t team : mine)
    segments.push_back(allocate(team, 64));
  for (std::size_t level = 0; level < mine.size(); ++level)
    check_segment(mine[level], segments[level], static_cast<int>(level));
  REQUIRE(dart_team_memfree(segments[0]) == DART_OK);
  while (mine.size() > 1) {
    REQUIRE(dart_team_destroy(&mine.back()) == DART_OK);
    REQUIRE(mine.back() == DART_TEAM_NULL);
    mine.pop_back();
  }
}

TEST_CASE("Destroying a team frees its segments", "[Team]") {
  dart_team_t team = DART_TEAM_NULL;
  REQUIRE(dart_team_clone(DART_TEAM_ALL, &team) == DART_OK);
  const dart_gptr_t gptr = allocate(team, 100);
  check_segment(team, gptr, 3);
  const dart_team_t before = team;
  REQUIRE(dart_team_destroy(&team) == DART_OK);
  int value = 0;
  REQUIRE(dart_get_blocking(&value, gptr, 1, DART_TYPE_INT, DART_TYPE_INT) == DART_ERR_INVAL);
  REQUIRE(dart_barrier(before) == DART_ERR_INVAL);
  REQUIRE(last_error_has(std::to_string(before)));
  REQUIRE(dart_team_destroy(&team) == DART_OK);  // the null team
}

TEST_CASE("Ids of teams are reused, the oldest first", "[Team]") {
  std::set<int> alive;
  std::vector<dart_team_t> teams(20);
  for (dart_team_t& team : teams) {
    REQUIRE(dart_team_clone(DART_TEAM_ALL, &team) == DART_OK);
    REQUIRE(alive.insert(team).second);
  }
  const int freed = teams.back();
  for (dart_team_t& team : teams)
    REQUIRE(dart_team_destroy(&team) == DART_OK);
  dart_team_t next = DART_TEAM_NULL;
  REQUIRE(dart_team_clone(DART_TEAM_ALL, &next) == DART_OK);
  REQUIRE(next > freed);
  REQUIRE(dart_team_destroy(&next) == DART_OK);
}

TEST_CASE("Random segments in overlapping teams do not overlap", "[Team]") {
  const std::vector<int> all = globals_of(DART_TEAM_ALL);
  const SubTeam even(DART_TEAM_ALL, select(all, [](int u) { return u % 2 == 0; }));
  const SubTeam low(DART_TEAM_ALL, select(all, [](int u) { return u <= num_units() / 2; }));
  const SubTeam both(DART_TEAM_ALL,
                     select(all, [](int u) { return u % 2 == 0 && u <= num_units() / 2; }));
  struct Live {
    dart_gptr_t gptr;
    std::size_t nbytes;
    unsigned char mark;
  };
  std::vector<Live> live;
  std::mt19937 random(seed());  // the same on all units
  const auto own_part = [](const Live& segment) {
    dart_gptr_t own = segment.gptr;
    own.unitid = id_in(own.teamid);
    void* address = nullptr;
    REQUIRE(dart_gptr_getaddr(own, &address) == DART_OK);
    return static_cast<unsigned char*>(address);
  };
  const auto check_and_free = [&](const Live& segment) {
    const unsigned char* begin = own_part(segment);
    REQUIRE(std::all_of(begin, begin + segment.nbytes,
                        [&](unsigned char byte) { return byte == segment.mark; }));
    REQUIRE(dart_team_memfree(segment.gptr) == DART_OK);
  };
  const auto free_one = [&](std::size_t victim) {
    const Live segment = live[victim];
    live.erase(live.begin() + static_cast<long>(victim));
    if (segment.gptr.teamid != DART_TEAM_NULL) check_and_free(segment);
  };
  for (int step = 0; step < 400; ++step) {
    const dart_team_t teams[] = {DART_TEAM_ALL, even.id(), low.id(), both.id()};
    const dart_team_t team = teams[random() % 4];
    const bool allocates = live.size() < 60 && random() % 5 < 3;
    const std::size_t nbytes = random() % 30'000;
    const auto mark = static_cast<unsigned char>(1 + random() % 255);
    const std::size_t victim = live.empty() ? 0 : random() % live.size();
    if (allocates) {
      Live segment{DART_GPTR_NULL, nbytes, mark};
      if (team != DART_TEAM_NULL) {
        segment.gptr = allocate(team, nbytes);
        unsigned char* begin = own_part(segment);
        REQUIRE(std::all_of(begin, begin + nbytes, [](unsigned char byte) { return byte == 0; }));
        std::fill_n(begin, nbytes, mark);
      }
      live.push_back(segment);
    } else if (!live.empty()) {
      free_one(victim);
    }
  }
  while (!live.empty())
    free_one(live.size() - 1);
}

TEST_CASE("Wrong arguments of team functions are errors that change nothing", "[Team]") {
  dart_team_t team = 17;
  dart_group_t group = make_group({0});
  REQUIRE(dart_team_create(99, group, &team) == DART_ERR_INVAL);
  REQUIRE(team == DART_TEAM_NULL);
  REQUIRE(dart_team_create(DART_TEAM_NULL, group, &team) == DART_ERR_INVAL);
  REQUIRE(dart_team_create(DART_TEAM_ALL, DART_GROUP_NULL, &team) == DART_ERR_INVAL);
  REQUIRE(dart_team_create(DART_TEAM_ALL, group, nullptr) == DART_ERR_INVAL);
  REQUIRE(dart_group_destroy(&group) == DART_OK);
  team = DART_TEAM_ALL;
  REQUIRE(dart_team_destroy(&team) == DART_ERR_INVAL);
  REQUIRE(team == DART_TEAM_ALL);
  team = 99;
  REQUIRE(dart_team_destroy(&team) == DART_ERR_INVAL);
  REQUIRE(dart_team_destroy(nullptr) == DART_ERR_INVAL);
  REQUIRE(dart_team_clone(-5, &team) == DART_ERR_INVAL);
  REQUIRE(dart_team_get_group(99, &group) == DART_ERR_INVAL);
  REQUIRE(group == DART_GROUP_NULL);
  std::size_t size = 1;
  REQUIRE(dart_team_size(DART_TEAM_NULL, &size) == DART_ERR_INVAL);
  REQUIRE(size == 0);
}

TEST_CASE("A team of a unit that is not in the parent is an error", "[Team]") {
  if (num_units() < 2) DASH_SKIP("needs two units");
  const SubTeam low(DART_TEAM_ALL, {0});
  if (low.is_member()) {
    dart_team_t team = 17;
    dart_group_t group = make_group({1});
    REQUIRE(dart_team_create(low.id(), group, &team) == DART_ERR_INVAL);
    REQUIRE(dart_group_destroy(&group) == DART_OK);
  }
}
