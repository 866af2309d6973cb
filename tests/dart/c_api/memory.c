/* Global memory and one-sided communication. */

#include <string.h>

#include "c_api.h"

enum { N = 100 };

/* A segment of N integers on each unit. */
static dart_gptr_t allocate(void) {
  dart_gptr_t base = DART_GPTR_NULL;
  OK(dart_team_memalloc_aligned(DART_TEAM_ALL, N, DART_TYPE_INT, &base));
  return base;
}

static dart_gptr_t of_unit(dart_gptr_t base, int unit) {
  OK(dart_gptr_setunit(&base, DART_TEAM_UNIT_ID(unit)));
  return base;
}

static int* own_part(dart_gptr_t base) {
  void* address = NULL;
  OK(dart_gptr_getaddr(of_unit(base, me), &address));
  CHECK(address != NULL);
  return (int*)address;
}

static void synchronize(void) {
  OK(dart_barrier(DART_TEAM_ALL));
}

static void use_pointers(void) {
  dart_gptr_t base = allocate();
  dart_gptr_t other = of_unit(base, me);
  dart_gptr_t none = DART_GPTR_NULL;
  uint16_t flags = 0;
  OK(dart_gptr_incaddr(&other, 3 * (int64_t)sizeof(int)));
  CHECK(!DART_GPTR_EQUAL(base, other));
  OK(dart_gptr_setaddr(&other, own_part(base)));
  CHECK(other.addr_or_offs.offset == 0);
  OK(dart_gptr_setflags(&other, 5));
  OK(dart_gptr_getflags(other, &flags));
  CHECK(flags == 5);
  CHECK(DART_GPTR_ISNULL(none) && !DART_GPTR_ISNULL(base));
  synchronize();
  OK(dart_team_memfree(base));
}

static void use_allocations(void) {
  dart_gptr_t mine = DART_GPTR_NULL;
  dart_allocator_t allocator = NULL;
  int value = me;
  int got = -1;
  OK(dart_memalloc(1, DART_TYPE_INT, &mine));
  CHECK(mine.unitid == me && mine.segid == DART_SEGMENT_LOCAL);
  OK(dart_put_blocking(mine, &value, 1, DART_TYPE_INT, DART_TYPE_INT));
  OK(dart_get_blocking(&got, mine, 1, DART_TYPE_INT, DART_TYPE_INT));
  CHECK(got == me);
  OK(dart_memfree(mine));
  OK(dart_allocator_new(4096, DART_TEAM_ALL, &allocator));
  OK(dart_allocator_alloc(10, DART_TYPE_INT, &mine, allocator));
  OK(dart_allocator_free(&mine, allocator));
  CHECK(DART_GPTR_ISNULL(mine));
  OK(dart_allocator_destroy(&allocator));
}

static void use_registered_memory(void) {
  int mine[N];
  int got = -1;
  dart_gptr_t base = DART_GPTR_NULL;
  for (int i = 0; i < N; ++i)
    mine[i] = 1000 * me + i;
  OK(dart_team_memregister_aligned(DART_TEAM_ALL, N, DART_TYPE_INT, mine, &base));
  OK(dart_get_blocking(&got, of_unit(base, right), 1, DART_TYPE_INT, DART_TYPE_INT));
  CHECK(got == 1000 * right);
  synchronize();
  OK(dart_team_memderegister(base));
  OK(dart_team_memregister(DART_TEAM_ALL, (size_t)(1 + me), DART_TYPE_INT, mine, &base));
  OK(dart_gptr_incaddr(&base, right * (int64_t)sizeof(int)));
  OK(dart_get_blocking(&got, of_unit(base, right), 1, DART_TYPE_INT, DART_TYPE_INT));
  CHECK(got == 1001 * right);
  synchronize();
  OK(dart_team_memderegister(base));
}

void use_global_memory(void) {
  use_pointers();
  use_allocations();
  use_registered_memory();
}

static void use_flushes(dart_gptr_t base) {
  int data[N];
  int got[N];
  const dart_gptr_t remote = of_unit(base, right);
  for (int i = 0; i < N; ++i)
    data[i] = 1000 * me + i;
  OK(dart_put(remote, data, N, DART_TYPE_INT, DART_TYPE_INT));
  OK(dart_flush_local(remote));
  OK(dart_flush(remote));
  OK(dart_get(got, remote, N, DART_TYPE_INT, DART_TYPE_INT));
  OK(dart_flush_local_all(base));
  OK(dart_flush_all(base));
  CHECK(memcmp(data, got, sizeof data) == 0);
  synchronize();
  CHECK(own_part(base)[N - 1] == 1000 * left + N - 1);
  synchronize();
}

static void use_handles(dart_gptr_t base) {
  dart_handle_t handles[2] = {DART_HANDLE_NULL, DART_HANDLE_NULL};
  dart_handle_t handle = DART_HANDLE_NULL;
  const dart_gptr_t remote = of_unit(base, right);
  int data[N];
  int got[N];
  int32_t flag = 0;
  for (int i = 0; i < N; ++i)
    data[i] = -1000 * me - i;
  OK(dart_put_handle(remote, data, N, DART_TYPE_INT, DART_TYPE_INT, &handle));
  OK(dart_wait(&handle));
  CHECK(handle == DART_HANDLE_NULL);
  OK(dart_get_handle(got, remote, N, DART_TYPE_INT, DART_TYPE_INT, &handle));
  OK(dart_wait_local(&handle));
  CHECK(memcmp(data, got, sizeof data) == 0);
  for (int i = 0; i < 2; ++i)
    OK(dart_put_handle(remote, data, N, DART_TYPE_INT, DART_TYPE_INT, &handles[i]));
  OK(dart_waitall(handles, 2));
  for (int i = 0; i < 2; ++i)
    OK(dart_get_handle(got, remote, N, DART_TYPE_INT, DART_TYPE_INT, &handles[i]));
  OK(dart_waitall_local(handles, 2));
  OK(dart_put_handle(remote, data, N, DART_TYPE_INT, DART_TYPE_INT, &handle));
  for (flag = 0; flag == 0;)
    OK(dart_test(&handle, &flag));
  OK(dart_get_handle(got, remote, N, DART_TYPE_INT, DART_TYPE_INT, &handle));
  for (flag = 0; flag == 0;)
    OK(dart_test_local(&handle, &flag));
  for (int i = 0; i < 2; ++i)
    OK(dart_put_handle(remote, data, N, DART_TYPE_INT, DART_TYPE_INT, &handles[i]));
  for (flag = 0; flag == 0;)
    OK(dart_testall(handles, 2, &flag));
  for (int i = 0; i < 2; ++i)
    OK(dart_get_handle(got, remote, N, DART_TYPE_INT, DART_TYPE_INT, &handles[i]));
  for (flag = 0; flag == 0;)
    OK(dart_testall_local(handles, 2, &flag));
  OK(dart_put_handle(remote, data, N, DART_TYPE_INT, DART_TYPE_INT, &handle));
  OK(dart_handle_free(&handle));
  OK(dart_flush(remote));
  synchronize();
  CHECK(own_part(base)[N - 1] == -1000 * left - N + 1);
  synchronize();
}

void use_transfers(void) {
  dart_gptr_t base = allocate();
  use_flushes(base);
  use_handles(base);
  OK(dart_team_memfree(base));
}

void use_derived_types(void) {
  dart_gptr_t base = allocate();
  dart_datatype_t strided = DART_TYPE_UNDEFINED;
  dart_datatype_t indexed = DART_TYPE_UNDEFINED;
  dart_datatype_t custom = DART_TYPE_UNDEFINED;
  const size_t lengths[2] = {2, 1};
  const size_t offsets[2] = {0, 5};
  int data[10];
  int got[10] = {0};
  for (int i = 0; i < 10; ++i)
    data[i] = 10 * me + i;
  OK(dart_type_create_strided(DART_TYPE_INT, 2, 1, &strided));
  OK(dart_type_create_indexed(DART_TYPE_INT, 2, lengths, offsets, &indexed));
  OK(dart_type_create_custom(2 * sizeof(int), &custom));
  /* Every second integer of data, stored contiguously. */
  OK(dart_put_blocking(of_unit(base, right), data, 5, strided, DART_TYPE_INT));
  OK(dart_get_blocking(got, of_unit(base, right), 5, DART_TYPE_INT, DART_TYPE_INT));
  for (int i = 0; i < 5; ++i)
    CHECK(got[i] == data[2 * i]);
  OK(dart_get_blocking(got, of_unit(base, right), 3, DART_TYPE_INT, indexed));
  CHECK(got[0] == data[0] && got[1] == data[2] && got[5] == data[4]);
  OK(dart_put_blocking(of_unit(base, right), data, 5, custom, custom));
  OK(dart_get_blocking(got, of_unit(base, right), 10, DART_TYPE_INT, DART_TYPE_INT));
  CHECK(memcmp(data, got, sizeof data) == 0);
  OK(dart_type_destroy(&strided));
  OK(dart_type_destroy(&indexed));
  OK(dart_type_destroy(&custom));
  CHECK(custom == DART_TYPE_UNDEFINED);
  synchronize();
  OK(dart_team_memfree(base));
}

void use_atomics(void) {
  dart_gptr_t base = allocate();
  const dart_gptr_t zero = of_unit(base, 0);
  const int one = 1;
  const int largest = me;
  const int wrong = -1;
  int old = -1;
  OK(dart_accumulate(zero, &one, 1, DART_TYPE_INT, DART_OP_SUM));
  OK(dart_flush(zero));
  OK(dart_accumulate_blocking_local(zero, &one, 1, DART_TYPE_INT, DART_OP_SUM));
  OK(dart_flush(zero));
  OK(dart_fetch_and_op(zero, &one, &old, DART_TYPE_INT, DART_OP_SUM));
  OK(dart_flush(zero));
  CHECK(old >= 2 && old < 3 * units);
  synchronize();
  OK(dart_compare_and_swap(zero, &largest, &wrong, &old, DART_TYPE_INT));
  OK(dart_flush(zero));
  CHECK(old == 3 * units);
  synchronize();
  OK(dart_team_memfree(base));
}
