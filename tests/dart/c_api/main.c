/* A C program that calls every function of the C interface. It checks that the headers are valid C and that
 * each function basically works; details are tested in C++. */

#include <string.h>

#include "c_api.h"

int me = -1;
int units = 0;
int right = 0;
int left = 0;

static void before_init(void) {
  dart_global_unit_t unit;
  size_t n = 1;
  CHECK(!dart_initialized());
  CHECK(dart_myid(&unit) == DART_ERR_NOTINIT);
  CHECK(unit.id == DART_UNDEFINED_UNIT_ID);
  CHECK(dart_size(&n) == DART_ERR_NOTINIT);
  CHECK(dart_exit() == DART_ERR_OTHER);
}

static void check_runtime(void) {
  dart_global_unit_t unit = DART_UNDEFINED_GLOBAL_UNIT_ID;
  dart_config_t* config = NULL;
  size_t n = 0;
  int32_t advanced = 2;
  CHECK(dart_initialized());
  OK(dart_myid(&unit));
  OK(dart_size(&n));
  me = unit.id;
  units = (int)n;
  right = (me + 1) % units;
  left = (me + units - 1) % units;
  CHECK(me >= 0 && me < units);
  OK(dart_progress());
  OK(dart_progress_test(&advanced));
  CHECK(advanced == 0 || advanced == 1);
  dart_config(&config);
  CHECK(config != NULL && config->log_enabled == 1);
  CHECK(dart_barrier(DART_TEAM_NULL) == DART_ERR_INVAL);
  CHECK(strlen(dart_last_error()) > 0);
  CHECK(strlen(DART_VERSION_STR) > 0 && strlen(DART_BUILD_STR) > 0);
}

int main(int argc, char** argv) {
  dart_thread_support_level_t level = DART_THREAD_SINGLE;
  before_init();
  /* dart_exit finalizes MPI, so only one of the two can be tested in a run. */
  if (getenv("DART_PROGRESS") == NULL) {
    OK(dart_init(&argc, &argv));
  } else {
    OK(dart_init_thread(&argc, &argv, &level));
    CHECK(level == DART_THREAD_MULTIPLE || level == DART_THREAD_SINGLE);
  }
  CHECK(dart_init(&argc, &argv) == DART_ERR_OTHER);
  check_runtime();
  use_groups();
  use_teams();
  use_global_memory();
  use_transfers();
  use_derived_types();
  use_atomics();
  use_collectives();
  use_operations();
  use_messages();
  use_locks();
  use_locality();
  OK(dart_exit());
  CHECK(!dart_initialized());
  CHECK(dart_exit() == DART_ERR_OTHER);
  if (me == 0) printf("the C interface on %d units: 1 passed, 0 failed\n", units);
  return 0;
}
