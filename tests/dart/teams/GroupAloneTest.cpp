// dash-test: serial main=own

// Groups in a program that never starts the runtime: the number of units is unknown.

#include <cstdio>
#include <cstring>

#include "dash/dart/if/dart.h"

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, dart_last_error()); \
      return 1;                                                                                    \
    }                                                                                              \
  } while (false)

int main() {
  dart_group_t group = DART_GROUP_NULL;
  CHECK(dart_group_create(&group) == DART_OK);
  CHECK(dart_group_addmember(group, 1'000'000) == DART_OK);
  CHECK(dart_group_addmember(group, 3) == DART_OK);
  CHECK(dart_group_addmember(group, -1) == DART_ERR_INVAL);
  CHECK(std::strstr(dart_last_error(), "-1") != nullptr);
  size_t size = 0;
  dart_global_unit_t units[2];
  CHECK(dart_group_size(group, &size) == DART_OK);
  CHECK(size == 2);
  CHECK(dart_group_getmembers(group, units) == DART_OK);
  CHECK(units[0].id == 3 && units[1].id == 1'000'000);
  CHECK(dart_group_destroy(&group) == DART_OK);
  CHECK(group == DART_GROUP_NULL);
  std::puts("groups without a runtime: passed");
  return 0;
}
