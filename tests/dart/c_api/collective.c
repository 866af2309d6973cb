/* Collectives, user-defined operations, messages and locks. */

#include "c_api.h"

static void use_gathering(void) {
  int* all = (int*)malloc((size_t)units * sizeof(int));
  int* parts = (int*)malloc((size_t)units * sizeof(int));
  size_t* counts = (size_t*)malloc((size_t)units * sizeof(size_t));
  size_t* places = (size_t*)malloc((size_t)units * sizeof(size_t));
  int mine = 7 * me;
  CHECK(all != NULL && parts != NULL && counts != NULL && places != NULL);
  OK(dart_gather(&mine, all, 1, DART_TYPE_INT, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  mine = -1;
  OK(dart_scatter(all, &mine, 1, DART_TYPE_INT, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  CHECK(mine == 7 * me);
  OK(dart_allgather(&mine, all, 1, DART_TYPE_INT, DART_TEAM_ALL));
  for (int i = 0; i < units; ++i) {
    CHECK(all[i] == 7 * i);
    counts[i] = 1;
    places[i] = (size_t)(units - 1 - i);
  }
  OK(dart_allgatherv(&mine, 1, DART_TYPE_INT, all, counts, places, DART_TEAM_ALL));
  for (int i = 0; i < units; ++i) {
    CHECK(all[units - 1 - i] == 7 * i);
    parts[i] = 100 * me + i;
  }
  OK(dart_alltoall(parts, all, 1, DART_TYPE_INT, DART_TEAM_ALL));
  for (int i = 0; i < units; ++i)
    CHECK(all[i] == 100 * i + me);
  free(all);
  free(parts);
  free(counts);
  free(places);
}

void use_collectives(void) {
  int value = me == 0 ? 42 : 0;
  int result = 0;
  int bounds[2];
  OK(dart_barrier(DART_TEAM_ALL));
  OK(dart_bcast(&value, 1, DART_TYPE_INT, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  CHECK(value == 42);
  value = me;
  OK(dart_reduce(&value, &result, 1, DART_TYPE_INT, DART_OP_SUM, DART_TEAM_UNIT_ID(0),
                 DART_TEAM_ALL));
  CHECK(me != 0 || result == units * (units - 1) / 2);
  OK(dart_allreduce(&value, &result, 1, DART_TYPE_INT, DART_OP_MAX, DART_TEAM_ALL));
  CHECK(result == units - 1);
  bounds[DART_OP_MINMAX_MIN] = me;
  bounds[DART_OP_MINMAX_MAX] = me;
  OK(dart_allreduce(bounds, bounds, 2, DART_TYPE_INT, DART_OP_MINMAX, DART_TEAM_ALL));
  CHECK(bounds[DART_OP_MINMAX_MIN] == 0 && bounds[DART_OP_MINMAX_MAX] == units - 1);
  use_gathering();
}

/* Adds, and counts its calls in the user's data. */
static void add(const void* in, void* inout, size_t len, void* user_data) {
  const int* from = (const int*)in;
  int* to = (int*)inout;
  for (size_t i = 0; i < len; ++i)
    to[i] += from[i];
  ++*(int*)user_data;
}

void use_operations(void) {
  dart_operation_t sum = DART_OP_UNDEFINED;
  int calls = 0;
  int value = me + 1;
  int result = 0;
  OK(dart_op_create(add, &calls, true, DART_TYPE_INT, false, &sum));
  CHECK(sum > DART_OP_LAST);
  OK(dart_allreduce(&value, &result, 1, DART_TYPE_INT, sum, DART_TEAM_ALL));
  CHECK(result == units * (units + 1) / 2);
  OK(dart_op_destroy(&sum));
  CHECK(sum == DART_OP_UNDEFINED);
}

void use_messages(void) {
  const dart_global_unit_t next = DART_GLOBAL_UNIT_ID(right);
  const dart_global_unit_t previous = DART_GLOBAL_UNIT_ID(left);
  double sent = 1.5 * me;
  double received = -1;
  OK(dart_sendrecv(&sent, 1, DART_TYPE_DOUBLE, 3, next, &received, 1, DART_TYPE_DOUBLE, 3,
                   previous));
  CHECK(received == 1.5 * left);
  if (me == 0) OK(dart_send(&sent, 1, DART_TYPE_DOUBLE, 4, next));
  OK(dart_recv(&received, 1, DART_TYPE_DOUBLE, 4, previous));
  CHECK(received == 1.5 * left);
  if (me != 0) OK(dart_send(&sent, 1, DART_TYPE_DOUBLE, 4, next));
}

void use_locks(void) {
  dart_lock_t lock = DART_LOCK_NULL;
  int32_t acquired = 0;
  OK(dart_team_lock_init(DART_TEAM_ALL, &lock));
  CHECK(dart_lock_initialized(lock));
  OK(dart_lock_acquire(lock));
  CHECK(dart_lock_acquire(lock) == DART_ERR_INVAL);
  OK(dart_lock_release(lock));
  OK(dart_lock_try_acquire(lock, &acquired));
  if (acquired != 0) OK(dart_lock_release(lock));
  OK(dart_barrier(DART_TEAM_ALL));
  OK(dart_team_lock_destroy(&lock));
  CHECK(lock == DART_LOCK_NULL);
}
