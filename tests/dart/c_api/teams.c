/* Groups and teams. */

#include "c_api.h"

static size_t size_of(dart_group_t group) {
  size_t size = 0;
  OK(dart_group_size(group, &size));
  return size;
}

void use_groups(void) {
  dart_group_t one = DART_GROUP_NULL;
  dart_group_t two = DART_GROUP_NULL;
  dart_group_t both = DART_GROUP_NULL;
  dart_group_t common = DART_GROUP_NULL;
  dart_group_t copy = DART_GROUP_NULL;
  dart_group_t parts[2] = {DART_GROUP_NULL, DART_GROUP_NULL};
  dart_global_unit_t members[3];
  int32_t is_member = 0;
  size_t num_parts = 0;
  OK(dart_group_create(&one));
  OK(dart_group_create(&two));
  OK(dart_group_addmember(one, DART_GLOBAL_UNIT_ID(0)));
  OK(dart_group_addmember(two, DART_GLOBAL_UNIT_ID(0)));
  OK(dart_group_addmember(two, DART_GLOBAL_UNIT_ID(units - 1)));
  OK(dart_group_union(one, two, &both));
  OK(dart_group_intersect(one, two, &common));
  CHECK(size_of(both) == (units == 1 ? 1U : 2U));
  CHECK(size_of(common) == 1);
  OK(dart_group_ismember(both, DART_GLOBAL_UNIT_ID(units - 1), &is_member));
  CHECK(is_member == 1);
  OK(dart_group_clone(both, &copy));
  OK(dart_group_getmembers(copy, members));
  CHECK(members[0].id == 0);
  OK(dart_group_delmember(copy, DART_GLOBAL_UNIT_ID(0)));
  CHECK(size_of(copy) == size_of(both) - 1);
  OK(dart_group_split(both, 2, &num_parts, parts));
  CHECK(num_parts == size_of(both));
  for (size_t i = 0; i < 2; ++i) {
    if (parts[i] != DART_GROUP_NULL) OK(dart_group_destroy(&parts[i]));
  }
  OK(dart_group_destroy(&one));
  OK(dart_group_destroy(&two));
  OK(dart_group_destroy(&both));
  OK(dart_group_destroy(&common));
  OK(dart_group_destroy(&copy));
  CHECK(copy == DART_GROUP_NULL);
}

void use_teams(void) {
  dart_group_t group = DART_GROUP_NULL;
  dart_team_t team = DART_TEAM_NULL;
  dart_team_t clone = DART_TEAM_NULL;
  dart_team_unit_t my_id = DART_UNDEFINED_TEAM_UNIT_ID;
  dart_team_unit_t local = DART_UNDEFINED_TEAM_UNIT_ID;
  dart_global_unit_t global = DART_UNDEFINED_GLOBAL_UNIT_ID;
  size_t size = 0;
  size_t ndim = 0;
  size_t extents[DART_GRID_MAX_NDIM];
  OK(dart_team_get_group(DART_TEAM_ALL, &group));
  if (units > 1) OK(dart_group_delmember(group, DART_GLOBAL_UNIT_ID(0)));
  OK(dart_team_create(DART_TEAM_ALL, group, &team));
  OK(dart_group_destroy(&group));
  if (units > 1 && me == 0) {
    CHECK(team == DART_TEAM_NULL);
    return;
  }
  OK(dart_team_myid(team, &my_id));
  OK(dart_team_size(team, &size));
  CHECK(size == (units > 1 ? (size_t)units - 1 : 1U));
  OK(dart_team_unit_l2g(team, my_id, &global));
  CHECK(global.id == me);
  OK(dart_team_unit_g2l(team, DART_GLOBAL_UNIT_ID(me), &local));
  CHECK(local.id == my_id.id);
  CHECK(dart_create_team_unit(me).id == me && dart_create_global_unit(me).id == me);
  OK(dart_team_clone(team, &clone));
  CHECK(clone != team);
  OK(dart_barrier(clone));
  OK(dart_team_destroy(&clone));
  OK(dart_team_create_mapped(team, 1, &size, NULL, NULL, &clone));
  OK(dart_team_grid(clone, &ndim, extents, NULL));
  CHECK(ndim == 1 && extents[0] == size);
  OK(dart_team_destroy(&clone));
  OK(dart_team_destroy(&team));
  CHECK(team == DART_TEAM_NULL);
}
