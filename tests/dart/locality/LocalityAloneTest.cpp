// dash-test: serial main=own

// Locality before dart_init and after dart_exit: hierarchies of teams are not available, hierarchies of the
// caller are.

#include <cstdio>

#include "dash/dart/if/dart.h"
#include "dash/dart/if/dart_locality.h"

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, dart_last_error()); \
      return false;                                                                                \
    }                                                                                              \
  } while (false)

namespace {

bool refused_outside_of_life() {
  dart_domain_locality_t* domain = nullptr;
  dart_unit_locality_t* locality = nullptr;
  CHECK(dart_team_locality_init(DART_TEAM_ALL) == DART_ERR_NOTINIT);
  CHECK(dart_team_locality_finalize(DART_TEAM_ALL) == DART_ERR_NOTINIT);
  CHECK(dart_domain_team_locality(DART_TEAM_ALL, ".", &domain) == DART_ERR_NOTINIT);
  CHECK(dart_unit_locality(DART_TEAM_ALL, DART_TEAM_UNIT_ID(0), &locality) == DART_ERR_NOTINIT);
  CHECK(domain == nullptr && locality == nullptr);
  return true;
}

bool clone_outlives_runtime() {
  dart_domain_locality_t* root = nullptr;
  dart_domain_locality_t* clone = nullptr;
  CHECK(refused_outside_of_life());
  CHECK(dart_init(nullptr, nullptr) == DART_OK);
  CHECK(dart_domain_team_locality(DART_TEAM_ALL, ".", &root) == DART_OK);
  CHECK(dart_domain_clone(root, &clone) == DART_OK);
  CHECK(dart_exit() == DART_OK);
  CHECK(refused_outside_of_life());
  CHECK(clone->num_units == 1);
  CHECK(dart_domain_find(clone, ".0.0.0.0", &root) == DART_OK);
  CHECK(root->scope == DART_LOCALITY_SCOPE_UNIT);
  CHECK(dart_domain_destroy(clone) == DART_OK);
  return true;
}

}  // namespace

int main() {
  if (!clone_outlives_runtime()) return 1;
  std::puts("locality outside of init and exit: passed");
  return 0;
}
