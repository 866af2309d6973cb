#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/Error.h"
#include "teams/Group.h"
#include "api/Runtime.h"
#include "dash/dart/if/dart_team_group.h"

namespace dart = dash::dart;

namespace {

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

/// Units of a parent in the order of their ids in it; those that it does not have come first.
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
    *group = dart::new_group_handle(dart::Group(dart::Runtime::get().team(teamid).layout().units));
  });
}

dart_ret_t dart_team_create(dart_team_t teamid, const dart_group_t group,
                            dart_team_t* newteam) noexcept {
  return dart::guarded("dart_team_create", [&] {
    check_output(newteam, "newteam");
    *newteam = DART_TEAM_NULL;
    dart::Runtime& runtime = dart::Runtime::get();
    dart::Team& parent = runtime.team(teamid);
    const dart::Group& members = dart::group_of(group);
    if (members.size() == 0) return;
    const dart::Team* const team =
        runtime.teams().create(parent, in_order_of(parent, members.members()));
    if (team != nullptr) *newteam = team->id();
  });
}

dart_ret_t dart_team_clone(dart_team_t teamid, dart_team_t* newteam) noexcept {
  return dart::guarded("dart_team_clone", [&] {
    check_output(newteam, "newteam");
    *newteam = DART_TEAM_NULL;
    dart::Runtime& runtime = dart::Runtime::get();
    dart::Team& team = runtime.team(teamid);
    dart::Team* const clone = runtime.teams().create(team, team.layout().units);
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
    myid->id = dart::Runtime::get().team(teamid).my_id();
  });
}

dart_ret_t dart_team_size(dart_team_t teamid, size_t* size) noexcept {
  return dart::guarded("dart_team_size", [&] {
    check_output(size, "size");
    *size = 0;
    *size = static_cast<std::size_t>(dart::Runtime::get().team(teamid).size());
  });
}

dart_ret_t dart_myid(dart_global_unit_t* myid) noexcept {
  return dart::guarded("dart_myid", [&] {
    check_output(myid, "myid");
    *myid = DART_UNDEFINED_GLOBAL_UNIT_ID;
    myid->id = dart::Runtime::get().all().my_id();
  });
}

dart_ret_t dart_size(size_t* size) noexcept {
  return dart::guarded("dart_size", [&] {
    check_output(size, "size");
    *size = 0;
    *size = static_cast<std::size_t>(dart::Runtime::get().all().size());
  });
}

dart_ret_t dart_team_unit_l2g(dart_team_t teamid, dart_team_unit_t localid,
                              dart_global_unit_t* globalid) noexcept {
  return dart::guarded("dart_team_unit_l2g", [&] {
    check_output(globalid, "globalid");
    *globalid = DART_UNDEFINED_GLOBAL_UNIT_ID;
    const dart::Team& team = dart::Runtime::get().team(teamid);
    check_unit(team, localid.id);
    globalid->id = team.units()[localid.id];
  });
}

dart_ret_t dart_team_unit_g2l(dart_team_t teamid, dart_global_unit_t globalid,
                              dart_team_unit_t* localid) noexcept {
  return dart::guarded("dart_team_unit_g2l", [&] {
    check_output(localid, "localid");
    *localid = DART_UNDEFINED_TEAM_UNIT_ID;
    dart::Runtime& runtime = dart::Runtime::get();
    const dart::Team& team = runtime.team(teamid);
    check_unit(runtime.all(), globalid.id);
    localid->id = team.local_id(globalid.id);
  });
}

}  // extern "C"
