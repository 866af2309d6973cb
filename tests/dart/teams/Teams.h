#pragma once

/// \file
/// Teams for tests, so that a test runs on several teams, nested and disjoint.

#include <algorithm>
#include <functional>
#include <vector>

#include "dart/support/Fixture.h"

namespace dash::test {

inline dart_group_t make_group(const std::vector<int>& units) {
  dart_group_t group = DART_GROUP_NULL;
  REQUIRE(dart_group_create(&group) == DART_OK);
  for (const int unit : units)
    REQUIRE(dart_group_addmember(group, unit) == DART_OK);
  return group;
}

/// A team of some units of a parent, destroyed at the end of the scope.
/// \collective over the parent
class SubTeam {
 public:
  SubTeam(dart_team_t parent, const std::vector<int>& units) {
    dart_group_t group = make_group(units);
    REQUIRE(dart_team_create(parent, group, &_id) == DART_OK);
    REQUIRE(dart_group_destroy(&group) == DART_OK);
  }
  ~SubTeam() { dart_team_destroy(&_id); }
  SubTeam(const SubTeam&) = delete;
  SubTeam& operator=(const SubTeam&) = delete;

  /// DART_TEAM_NULL if the caller is not a member.
  dart_team_t id() const { return _id; }
  bool is_member() const { return _id != DART_TEAM_NULL; }

 private:
  dart_team_t _id = DART_TEAM_NULL;
};

inline int id_in(dart_team_t team) {
  dart_team_unit_t unit;
  REQUIRE(dart_team_myid(team, &unit) == DART_OK);
  return unit.id;
}

inline int size_of(dart_team_t team) {
  std::size_t n = 0;
  REQUIRE(dart_team_size(team, &n) == DART_OK);
  return static_cast<int>(n);
}

/// Global ids of a team's units, in the order of their ids in the team.
inline std::vector<int> globals_of(dart_team_t team) {
  std::vector<int> globals;
  for (int unit = 0; unit < size_of(team); ++unit) {
    dart_global_unit_t global;
    REQUIRE(dart_team_unit_l2g(team, unit, &global) == DART_OK);
    globals.push_back(global.id);
  }
  return globals;
}

/// The units of a list that satisfy a condition.
inline std::vector<int> select(const std::vector<int>& units,
                               const std::function<bool(int)>& condition) {
  std::vector<int> selected;
  std::copy_if(units.begin(), units.end(), std::back_inserter(selected), condition);
  return selected;
}

/// Calls f for the team of all units; for the two halves and for the odd and even units, as disjoint
/// teams at the same time; for all units but the first; and for a team within a team.
/// \param one_at_a_time  disjoint teams call f one after the other
inline void for_each_team(const std::function<void(dart_team_t)>& f, bool one_at_a_time = false) {
  // is_first: the unit belongs to the first of the disjoint teams.
  const auto call = [&](const SubTeam& team, bool is_first) {
    for (const bool is_for_first : {true, false}) {
      if (one_at_a_time) barrier();
      const bool calls = is_first == is_for_first;
      if (calls && team.is_member()) f(team.id());
    }
  };
  f(DART_TEAM_ALL);
  const std::vector<int> all = globals_of(DART_TEAM_ALL);
  const int half = num_units() / 2;
  {
    const bool lower = my_id() < half;
    const SubTeam mine(DART_TEAM_ALL, select(all, [=](int u) { return (u < half) == lower; }));
    call(mine, lower);
    const SubTeam first_of_mine(mine.id(), {globals_of(mine.id()).front()});
    call(first_of_mine, lower);
  }
  {
    const bool even = my_id() % 2 == 0;
    const SubTeam mine(DART_TEAM_ALL, select(all, [=](int u) { return (u % 2 == 0) == even; }));
    call(mine, even);
  }
  const SubTeam others(DART_TEAM_ALL, select(all, [](int u) { return u != 0; }));
  call(others, true);
}

}  // namespace dash::test
