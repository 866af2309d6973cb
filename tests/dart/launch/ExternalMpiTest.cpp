// dash-test: parallel main=own ranks=full units=1,2,3 layouts=node,nolocal

// Every function of the C interface, called before dart_init and after dart_exit, returns the documented
// error and does not change its arguments.

#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "dash/dart/Mpi.h"
#include "dash/dart/if/dart.h"

namespace {

dart_gptr_t not_null() {
  dart_gptr_t result = DART_GPTR_NULL;
  result.unitid = 0;
  result.segid = 1;
  return result;
}

/// Arguments of the calls.
struct Arguments {
  dart_gptr_t gptr = DART_GPTR_NULL;
  dart_gptr_t somewhere = not_null();
  dart_handle_t handle = DART_HANDLE_NULL;
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  dart_team_t new_team = DART_TEAM_NULL;
  dart_global_unit_t global;
  dart_team_unit_t local = 0;
  dart_team_t team = DART_TEAM_ALL;
  dart_allocator_t allocator = nullptr;
  dart_lock_t lock = DART_LOCK_NULL;
  dart_group_t group = DART_GROUP_NULL;
  dart_operation_t op = DART_OP_UNDEFINED;
  size_t size = 0;
  size_t counts[1] = {1};
  uint16_t flags = 0;
  int32_t flag = 0;
  void* address = nullptr;
  MPI_Comm communicator = MPI_COMM_NULL;
  int in = 1;
  int out = 2;
};

using Call = dart_ret_t (*)(Arguments&);
using Row = std::pair<const char*, Call>;

#define ROW(name, ...)                                           \
  Row {                                                          \
    name, [](Arguments& a) -> dart_ret_t { return __VA_ARGS__; } \
  }

const std::vector<Row>& calls_without_runtime() {
  static const std::vector<Row> rows{
      ROW("dart_progress", (static_cast<void>(a), dart_progress())),
      ROW("dart_progress_test", dart_progress_test(&a.flag)),
      ROW("dart_myid", dart_myid(&a.global)),
      ROW("dart_size", dart_size(&a.size)),
      ROW("dart_team_myid", dart_team_myid(a.team, &a.local)),
      ROW("dart_team_size", dart_team_size(a.team, &a.size)),
      ROW("dart_team_unit_l2g", dart_team_unit_l2g(a.team, 0, &a.global)),
      ROW("dart_team_unit_g2l", dart_team_unit_g2l(a.team, 0, &a.local)),
      ROW("dart_team_get_group", dart_team_get_group(a.team, &a.group)),
      ROW("dart_team_clone", dart_team_clone(DART_TEAM_ALL, &a.team)),
      ROW("dart_team_communicator", dart_team_communicator(a.team, &a.communicator)),
      ROW("dart_memalloc", dart_memalloc(1, DART_TYPE_INT, &a.gptr)),
      ROW("dart_memfree", dart_memfree(a.gptr)),
      ROW("dart_team_memalloc_aligned",
          dart_team_memalloc_aligned(a.team, 1, DART_TYPE_INT, &a.gptr)),
      ROW("dart_gptr_getaddr", dart_gptr_getaddr(a.gptr, &a.address)),
      ROW("dart_gptr_setaddr", dart_gptr_setaddr(&a.gptr, &a.in)),
      ROW("dart_gptr_getflags", dart_gptr_getflags(a.gptr, &a.flags)),
      ROW("dart_gptr_setflags", dart_gptr_setflags(&a.gptr, 1)),
      ROW("dart_allocator_new", dart_allocator_new(4096, a.team, &a.allocator)),
      ROW("dart_get", dart_get(&a.out, a.gptr, 1, DART_TYPE_INT, DART_TYPE_INT)),
      ROW("dart_put", dart_put(a.gptr, &a.in, 1, DART_TYPE_INT, DART_TYPE_INT)),
      ROW("dart_get_blocking", dart_get_blocking(&a.out, a.gptr, 1, DART_TYPE_INT, DART_TYPE_INT)),
      ROW("dart_put_blocking", dart_put_blocking(a.gptr, &a.in, 1, DART_TYPE_INT, DART_TYPE_INT)),
      ROW("dart_get_handle",
          dart_get_handle(&a.out, a.gptr, 1, DART_TYPE_INT, DART_TYPE_INT, &a.handle)),
      ROW("dart_put_handle",
          dart_put_handle(a.gptr, &a.in, 1, DART_TYPE_INT, DART_TYPE_INT, &a.handle)),
      ROW("dart_type_create_strided", dart_type_create_strided(DART_TYPE_INT, 2, 1, &a.type)),
      ROW("dart_type_create_indexed",
          dart_type_create_indexed(DART_TYPE_INT, 1, a.counts, a.counts, &a.type)),
      ROW("dart_type_create_custom", dart_type_create_custom(8, &a.type)),
      ROW("dart_type_destroy", dart_type_destroy(&a.type)),
      ROW("dart_op_create", dart_op_create([](const void*, void*, std::size_t, void*) {}, nullptr,
                                           true, DART_TYPE_INT, false, &a.op)),
      ROW("dart_team_create", dart_team_create(DART_TEAM_ALL, a.group, &a.new_team)),
      ROW("dart_team_destroy", dart_team_destroy(&a.team)),
      ROW("dart_team_memfree", dart_team_memfree(a.somewhere)),
      ROW("dart_team_memregister", dart_team_memregister(a.team, 1, DART_TYPE_INT, &a.in, &a.gptr)),
      ROW("dart_team_memregister_aligned",
          dart_team_memregister_aligned(a.team, 1, DART_TYPE_INT, &a.in, &a.gptr)),
      ROW("dart_team_memderegister", dart_team_memderegister(a.somewhere)),
      ROW("dart_flush", dart_flush(a.gptr)),
      ROW("dart_flush_all", dart_flush_all(a.gptr)),
      ROW("dart_flush_local", dart_flush_local(a.gptr)),
      ROW("dart_flush_local_all", dart_flush_local_all(a.gptr)),
      ROW("dart_accumulate", dart_accumulate(a.gptr, &a.in, 1, DART_TYPE_INT, DART_OP_SUM)),
      ROW("dart_accumulate_blocking_local",
          dart_accumulate_blocking_local(a.gptr, &a.in, 1, DART_TYPE_INT, DART_OP_SUM)),
      ROW("dart_fetch_and_op",
          dart_fetch_and_op(a.gptr, &a.in, &a.out, DART_TYPE_INT, DART_OP_SUM)),
      ROW("dart_compare_and_swap",
          dart_compare_and_swap(a.gptr, &a.in, &a.in, &a.out, DART_TYPE_INT)),
      ROW("dart_barrier", dart_barrier(a.team)),
      ROW("dart_bcast", dart_bcast(&a.out, 1, DART_TYPE_INT, 0, a.team)),
      ROW("dart_gather", dart_gather(&a.in, &a.out, 1, DART_TYPE_INT, 0, a.team)),
      ROW("dart_scatter", dart_scatter(&a.in, &a.out, 1, DART_TYPE_INT, 0, a.team)),
      ROW("dart_allgather", dart_allgather(&a.in, &a.out, 1, DART_TYPE_INT, a.team)),
      ROW("dart_allgatherv",
          dart_allgatherv(&a.in, 1, DART_TYPE_INT, &a.out, a.counts, a.counts, a.team)),
      ROW("dart_alltoall", dart_alltoall(&a.in, &a.out, 1, DART_TYPE_INT, a.team)),
      ROW("dart_reduce", dart_reduce(&a.in, &a.out, 1, DART_TYPE_INT, DART_OP_SUM, 0, a.team)),
      ROW("dart_allreduce", dart_allreduce(&a.in, &a.out, 1, DART_TYPE_INT, DART_OP_SUM, a.team)),
      ROW("dart_send", dart_send(&a.in, 1, DART_TYPE_INT, 0, 0)),
      ROW("dart_recv", dart_recv(&a.out, 1, DART_TYPE_INT, 0, 0)),
      ROW("dart_sendrecv",
          dart_sendrecv(&a.in, 1, DART_TYPE_INT, 0, 0, &a.out, 1, DART_TYPE_INT, 0, 0)),
      ROW("dart_team_lock_init", dart_team_lock_init(a.team, &a.lock)),
      ROW("dart_team_lock_destroy", dart_team_lock_destroy(&a.lock)),
      ROW("dart_lock_acquire", dart_lock_acquire(a.lock)),
      ROW("dart_lock_try_acquire", dart_lock_try_acquire(a.lock, &a.flag)),
      ROW("dart_lock_release", dart_lock_release(a.lock)),
  };
  return rows;
}

int failures = 0;

void expect(bool good, const char* when, const char* what) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "%s: %s: %s\n", when, what, dart_last_error());
}

void check_all_refuse(const char* when) {
  expect(!dart_initialized(), when, "dart_initialized");
  for (const auto& [name, call] : calls_without_runtime()) {
    Arguments arguments;
    const dart_ret_t ret = call(arguments);
    expect(ret == DART_ERR_NOTINIT, when, name);
    expect(std::strncmp(dart_last_error(), name, std::strlen(name)) == 0, when, name);
    expect(arguments.in == 1 && arguments.out == 2, when, name);
    expect(DART_GPTR_ISNULL(arguments.gptr), when, name);
  }
  expect(dart_exit() == DART_ERR_OTHER, when, "dart_exit");
  expect(!dart_lock_initialized(DART_LOCK_NULL), when, "dart_lock_initialized");
  // Waiting for a null handle is never an error.
  dart_handle_t handle = DART_HANDLE_NULL;
  expect(dart_wait(&handle) == DART_OK, when, "dart_wait");
}

}  // namespace

int main(int argc, char** argv) {
  check_all_refuse("before MPI_Init");
  MPI_Init(&argc, &argv);
  check_all_refuse("before dart_init");
  dart_lock_t stale = DART_LOCK_NULL;
  for (int cycle = 0; cycle < 3; ++cycle) {
    expect(dart_init(nullptr, nullptr) == DART_OK, "within", "dart_init");
    expect(dart_init(nullptr, nullptr) == DART_ERR_OTHER, "within", "dart_init");
    // A lock of an earlier session is invalid.
    expect(!dart_lock_initialized(stale), "within", "dart_lock_initialized");
    expect(dart_lock_acquire(stale) == DART_ERR_INVAL, "within", "dart_lock_acquire");
    dart_lock_t lock = DART_LOCK_NULL;
    expect(dart_team_lock_init(DART_TEAM_ALL, &lock) == DART_OK, "within", "dart_team_lock_init");
    expect(dart_exit() == DART_OK, "within", "dart_exit");
    check_all_refuse("after dart_exit");
    // A lock that the program did not destroy is invalid, too.
    expect(dart_lock_acquire(lock) == DART_ERR_NOTINIT, "after dart_exit", "dart_lock_acquire");
    expect(!dart_lock_initialized(lock), "after dart_exit", "dart_lock_initialized");
    stale = lock;
  }
  MPI_Finalize();
  check_all_refuse("after MPI_Finalize");
  expect(dart_init(nullptr, nullptr) == DART_ERR_OTHER, "after MPI_Finalize", "dart_init");
  std::printf("%zu functions outside of init and exit: %d failed\n", calls_without_runtime().size(),
              failures);
  return failures == 0 ? 0 : 1;
}
