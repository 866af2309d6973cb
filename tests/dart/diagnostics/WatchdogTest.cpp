// dash-test: parallel main=own ranks=full units=2,3,4,5 layouts=node,cliques,nolocal modes=auto,thread,poll link=objects timeout=90

// DART_WATCHDOG_S: while units wait for one that does not call the library, each of them reports its wait and
// the calls that led to it, and the other unit reports that it is not waiting. That unit continues when it
// has read all reports, so the test hangs if one is missing. The test does not use Catch2, whose runner would
// initialize the runtime.

#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "dart/support/TestedRuntime.h"
#include "dash/Async.h"
#include "dash/Future.h"
#include "dash/dart/if/dart.h"

namespace {

int failures = 0;
int me = 0;
int units = 0;

void expect(bool good, const std::string& what) {
  if (good) return;
  ++failures;
  std::printf("[unit %d of %d] failed: %s (%s)\n", me, units, what.c_str(), dart_last_error());
}

#define OK(call) expect((call) == DART_OK, #call)

/// File of a unit's error stream, in the folder of the test run's temporary files. The units of a run have
/// the same parent process.
std::string file_of(int unit) {
  return (std::filesystem::temp_directory_path() /
          ("dash-watchdog-" + std::to_string(getppid()) + "-" + std::to_string(unit)))
      .string();
}

std::string text_of(int unit) {
  std::ifstream stream(file_of(unit));
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool has_all(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (text.find(part) == std::string::npos) return false;
  }
  return true;
}

/// Returns when a unit has written all of the given texts after position `since`; does not call the library.
void read_until(int unit, std::size_t since, const std::vector<std::string>& parts) {
  while (!has_all(text_of(unit).substr(since), parts))
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

std::vector<std::size_t> sizes() {
  std::vector<std::size_t> result;
  for (int unit = 0; unit < units; ++unit)
    result.push_back(text_of(unit).size());
  return result;
}

std::string prefix_of(int unit) {
  return "[unit " + std::to_string(unit) + "] watchdog: ";
}

// Functions in which the units wait; the reports contain their names.

[[gnu::noinline]] void wait_at_the_barrier() {
  OK(dart_barrier(DART_TEAM_ALL));
  asm volatile("");  // not a tail call: the function is on the stack
}

[[gnu::noinline]] void wait_for_the_lock(dart_lock_t lock) {
  OK(dart_lock_acquire(lock));
  asm volatile("");
}

[[gnu::noinline]] void wait_for_a_message() {
  long value = 0;
  OK(dart_recv(&value, 1, DART_TYPE_LONG, 7, DART_GLOBAL_UNIT_ID(0)));
  expect(value == 17, "the message");
}

[[gnu::noinline]] void wait_in_a_task(const dash::Future<void>& future) {
  future.wait();
  asm volatile("");
}

void barrier_without_one_unit() {
  const std::vector<std::size_t> since = sizes();
  OK(dart_barrier(DART_TEAM_ALL));
  if (me == 0) {
    for (int unit = 1; unit < units; ++unit) {
      read_until(unit, since[static_cast<std::size_t>(unit)],
                 {prefix_of(unit) + "has waited ", " s for a barrier of team 0", "in dart_barrier",
                  "(the main thread)", "wait_at_the_barrier", "main"});
    }
    read_until(0, since[0], {prefix_of(0) + "is not waiting", "(dart_barrier) ended"});
  }
  wait_at_the_barrier();
}

const std::vector<std::string> task_reports{"for a future (a task)", "wait_in_a_task",
                                            "for a task (the main thread)",
                                            "tasks: 1 unfinished, 1 of them suspended"};

/// All other units wait for unit 0: unit 1 for a lock, unit 2 for a message, the others for a future in a
/// task.
void waits_of_all_kinds() {
  dart_lock_t lock = DART_LOCK_NULL;
  OK(dart_team_lock_init(DART_TEAM_ALL, &lock));
  const std::vector<std::size_t> since = sizes();
  if (me == 0) OK(dart_lock_acquire(lock));
  OK(dart_barrier(DART_TEAM_ALL));
  if (me == 1) {
    wait_for_the_lock(lock);
    OK(dart_lock_release(lock));
  } else if (me == 2) {
    wait_for_a_message();
  } else if (me > 2) {
    dash::Promise<void> promise;
    dash::Future<void> future = promise.get_future();
    dash::Future<void> task = dash::async([&future] { wait_in_a_task(future); });
    std::thread releaser([&promise] {
      read_until(me, 0, task_reports);
      promise.set_value();
    });
    task.wait();
    releaser.join();
  } else {
    read_until(1, since[1],
               {"for the lock of segment", "in dart_lock_acquire", "wait_for_the_lock"});
    if (units > 2)
      read_until(2, since[2],
                 {"for a message from unit 0 with tag 7", "in dart_recv", "wait_for_a_message"});
    for (int unit = 3; unit < units; ++unit)
      read_until(unit, since[static_cast<std::size_t>(unit)], task_reports);
    read_until(0, since[0], {"is not waiting"});
    const long value = 17;
    OK(dart_lock_release(lock));
    if (units > 2) OK(dart_send(&value, 1, DART_TYPE_LONG, 7, DART_GLOBAL_UNIT_ID(2)));
  }
  OK(dart_barrier(DART_TEAM_ALL));
  OK(dart_team_lock_destroy(&lock));
}

/// In mode poll, an atomic operation on another node waits until the target polls. Unit 1 repeats one until
/// it reads the value that unit 0 stores after it has seen the report of unit 1.
void operation_on_computing_unit() {
  dart_gptr_t gptr = DART_GPTR_NULL;
  OK(dart_team_memalloc_aligned(DART_TEAM_ALL, 64, DART_TYPE_BYTE, &gptr));
  gptr.unitid = 0;
  const std::vector<std::size_t> since = sizes();
  OK(dart_barrier(DART_TEAM_ALL));
  const char* const mode = std::getenv("DART_PROGRESS");
  const bool poll = mode != nullptr && std::strcmp(mode, "poll") == 0;
  const bool on_other_node = dash::test::tested_runtime().session().layout().node_of[0] !=
                             dash::test::tested_runtime().session().layout().node_of[1];
  if (me == 1) {
    for (long value = 0; value == 0;) {
      OK(dart_fetch_and_op(gptr, &value, &value, DART_TYPE_LONG, DART_OP_NO_OP));
      OK(dart_flush(gptr));
    }
  } else if (me == 0) {
    void* word = nullptr;
    OK(dart_gptr_getaddr(gptr, &word));
    if (poll && on_other_node)
      read_until(1, since[1], {"for the reply to a message of 8 bytes to unit 0, in dart_flush"});
    std::atomic_ref<long>(*static_cast<long*>(word)).store(1);
  }
  OK(dart_barrier(DART_TEAM_ALL));
  OK(dart_team_memfree(gptr));
}

/// Other nodes are notified by messages, even if they share a host.
void check_messages() {
  dash::dart::Runtime& runtime = dash::test::tested_runtime();
  const bool sent =
      runtime.session().layout().nnodes > 1 && runtime.session().has_thread_multiple();
  const std::uint64_t mine = runtime.watchdog().requests_received();
  std::uint64_t all = 0;
  OK(dart_allreduce(&mine, &all, 1, DART_TYPE_ULONGLONG, DART_OP_SUM, DART_TEAM_ALL));
  expect(sent == (all > 0), "messages arrive if there are other nodes: " + std::to_string(all));
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  // With progress processes, the ranks in MPI_COMM_WORLD are not the numbers of the units.
  OK(dart_init(&argc, &argv));
  dart_global_unit_t unit{};
  std::size_t nunits = 0;
  OK(dart_myid(&unit));
  OK(dart_size(&nunits));
  me = unit.id;
  units = static_cast<int>(nunits);
  OK(dart_exit());

  // Setting it on one unit enables the watchdog on all.
  setenv("DART_WATCHDOG_S", me == units - 1 ? "1" : "0", 1);
  expect(std::freopen(file_of(me).c_str(), "w", stderr) != nullptr, "a file for the reports");
  OK(dart_init(&argc, &argv));
  barrier_without_one_unit();
  waits_of_all_kinds();
  operation_on_computing_unit();
  check_messages();
  OK(dart_exit());
  std::fflush(stderr);
  if (failures != 0)
    std::printf("[unit %d of %d] its reports:\n%s\n", me, units, text_of(me).c_str());
  std::filesystem::remove(file_of(me));
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
