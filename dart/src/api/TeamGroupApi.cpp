#include <algorithm>
#include <cstdint>
#include <vector>

#include "api/Boundary.h"
#include "base/Error.h"
#include "dash/dart/if/dart_team_group.h"
#include "teams/Group.h"

namespace dart = dash::dart;

namespace {

using dart::team_of;

void check_unit(const dart::Team& team, dart_unit_t unit) {
  if (unit < 0 || unit >= team.size()) {
    dart::throw_error(DART_ERR_INVAL, "unit {} is not in team {}, which has units 0 to {}", unit,
                      team.id(), team.size() - 1);
  }
}

template <class T>
void check_output(const T* pointer, const char* name) {
  if (pointer == nullptr) dart::throw_error(DART_ERR_INVAL, "{} is NULL", name);
}

dart::TeamRegistry& teams() {
  return dart::Runtime::get().teams();
}

const dart::Team& all_units() {
  return teams().all();
}

/// Sorts units by their ids in the parent team; units that are not in the parent come first.
std::vector<std::int32_t> in_order_of(const dart::Team& parent, std::vector<std::int32_t> globals) {
  if (!parent.layout().is_ascending()) {
    std::stable_sort(globals.begin(), globals.end(), [&](std::int32_t a, std::int32_t b) {
      return parent.local_id(a) < parent.local_id(b);
    });
  }
  return globals;
}

}  // namespace

extern "C" {

dart_ret_t dart_team_get_group(dart_team_t teamid, dart_group_t* group) noexcept {
  return dart::guarded("dart_team_get_group", [&] {
    check_output(group, "group");
    *group = DART_GROUP_NULL;
    *group = dart::new_group_handle(dart::Group(team_of(teamid).layout().units));
  });
}

dart_ret_t dart_team_create(dart_team_t teamid, const dart_group_t group,
                            dart_team_t* newteam) noexcept {
  return dart::guarded("dart_team_create", [&] {
    check_output(newteam, "newteam");
    *newteam = DART_TEAM_NULL;
    dart::Team& parent = team_of(teamid);
    const dart::Group& members = dart::group_of(group);
    if (members.size() == 0) return;
    const dart::Team* const team = teams().create(parent, in_order_of(parent, members.members()));
    if (team != nullptr) *newteam = team->id();
  });
}

dart_ret_t dart_team_clone(dart_team_t teamid, dart_team_t* newteam) noexcept {
  return dart::guarded("dart_team_clone", [&] {
    check_output(newteam, "newteam");
    *newteam = DART_TEAM_NULL;
    dart::Team& team = team_of(teamid);
    dart::Team* const clone = teams().create(team, team.layout().units);
    clone->set_grid(team.grid());
    *newteam = clone->id();
  });
}

dart_ret_t dart_team_destroy(dart_team_t* teamid) noexcept {
  return dart::guarded("dart_team_destroy", [&] {
    check_output(teamid, "teamid");
    dart::Runtime& runtime = dart::Runtime::get();
    if (*teamid == DART_TEAM_NULL) return;
    runtime.destroy(runtime.team(*teamid));
    *teamid = DART_TEAM_NULL;
  });
}

dart_ret_t dart_team_myid(dart_team_t teamid, dart_team_unit_t* myid) noexcept {
  return dart::guarded("dart_team_myid", [&] {
    check_output(myid, "myid");
    *myid = DART_UNDEFINED_TEAM_UNIT_ID;
    myid->id = team_of(teamid).my_id();
  });
}

dart_ret_t dart_team_size(dart_team_t teamid, size_t* size) noexcept {
  return dart::guarded("dart_team_size", [&] {
    check_output(size, "size");
    *size = 0;
    *size = static_cast<std::size_t>(team_of(teamid).size());
  });
}

dart_ret_t dart_myid(dart_global_unit_t* myid) noexcept {
  return dart::guarded("dart_myid", [&] {
    check_output(myid, "myid");
    *myid = DART_UNDEFINED_GLOBAL_UNIT_ID;
    myid->id = all_units().my_id();
  });
}

dart_ret_t dart_size(size_t* size) noexcept {
  return dart::guarded("dart_size", [&] {
    check_output(size, "size");
    *size = 0;
    *size = static_cast<std::size_t>(all_units().size());
  });
}

dart_ret_t dart_team_unit_l2g(dart_team_t teamid, dart_team_unit_t localid,
                              dart_global_unit_t* globalid) noexcept {
  return dart::guarded("dart_team_unit_l2g", [&] {
    check_output(globalid, "globalid");
    *globalid = DART_UNDEFINED_GLOBAL_UNIT_ID;
    const dart::Team& team = team_of(teamid);
    check_unit(team, localid.id);
    globalid->id = team.units()[localid.id];
  });
}

dart_ret_t dart_team_unit_g2l(dart_team_t teamid, dart_global_unit_t globalid,
                              dart_team_unit_t* localid) noexcept {
  return dart::guarded("dart_team_unit_g2l", [&] {
    check_output(localid, "localid");
    *localid = DART_UNDEFINED_TEAM_UNIT_ID;
    const dart::Team& team = team_of(teamid);
    check_unit(all_units(), globalid.id);
    localid->id = team.local_id(globalid.id);
  });
}

}  // extern "C"
