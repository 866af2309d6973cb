#include "Error.h"
#include "Runtime.h"
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

}  // namespace

extern "C" {

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
    check_unit(dart::Runtime::get().team(teamid), localid.id);
    globalid->id = localid.id;
  });
}

dart_ret_t dart_team_unit_g2l(dart_team_t teamid, dart_global_unit_t globalid,
                              dart_team_unit_t* localid) noexcept {
  return dart::guarded("dart_team_unit_g2l", [&] {
    check_output(localid, "localid");
    *localid = DART_UNDEFINED_TEAM_UNIT_ID;
    check_unit(dart::Runtime::get().team(teamid), globalid.id);
    localid->id = globalid.id;
  });
}

}  // extern "C"
