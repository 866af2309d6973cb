// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll timeout=120 smoke=yes

// Several threads of each unit call the library concurrently.

#include <atomic>
#include <thread>
#include <vector>

#include "dart/teams/Teams.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

namespace {

constexpr int num_threads = 4;

/// Runs f(thread) on several threads. Only the main thread may use Catch2's macros, so f returns its number
/// of errors.
template <class F>
void on_threads(F f) {
  std::atomic<int> errors{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < num_threads; ++thread)
    threads.emplace_back([&, thread] { errors += f(thread); });
  for (std::thread& thread : threads)
    thread.join();
  REQUIRE(errors == 0);
}

int count_error(dart_ret_t ret) {
  return ret == DART_OK ? 0 : 1;
}

}  // namespace

TEST_CASE("Threads transfer, flush, wait and accumulate concurrently", "[Threads]") {
  if (!is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
  constexpr std::size_t part = 30'000;  // bytes per thread
  constexpr int rounds = 12;
  const int n = num_units();
  const Bytes segment(num_threads * part + sizeof(long));
  const int right = (my_id() + 1) % n;
  on_threads([&](int thread) {
    int errors = 0;
    std::vector<unsigned char> sent(part);
    std::vector<unsigned char> received(part);
    const auto offset = static_cast<std::size_t>(thread) * part;
    const dart_gptr_t remote = segment.at(right, offset);
    for (int round = 0; round < rounds; ++round) {
      const auto mark = static_cast<unsigned char>(1 + thread + 10 * round);
      std::fill(sent.begin(), sent.end(), mark);
      dart_handle_t handle = DART_HANDLE_NULL;
      int32_t done = 0;
      switch (round % 3) {
        case 0:
          errors +=
              count_error(dart_put(remote, sent.data(), part, DART_TYPE_BYTE, DART_TYPE_BYTE));
          errors += count_error(dart_flush(remote));
          break;
        case 1:
          errors += count_error(
              dart_put_handle(remote, sent.data(), part, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle));
          errors += count_error(dart_wait(&handle));
          break;
        default:
          errors += count_error(
              dart_put_handle(remote, sent.data(), part, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle));
          while (done == 0)
            errors += count_error(dart_test(&handle, &done));
      }
      errors += count_error(
          dart_get_blocking(received.data(), remote, part, DART_TYPE_BYTE, DART_TYPE_BYTE));
      errors += received == sent ? 0 : 1;
      const long one = 1;
      const dart_gptr_t counter = segment.at(0, num_threads * part / 8 * 8);
      errors += count_error(dart_accumulate(counter, &one, 1, DART_TYPE_LONG, DART_OP_SUM));
      errors += count_error(dart_flush_all(counter));
    }
    return errors;
  });
  barrier();
  long total = 0;
  REQUIRE(dart_get_blocking(&total, segment.at(0, num_threads * part / 8 * 8), 1, DART_TYPE_LONG,
                            DART_TYPE_LONG) == DART_OK);
  REQUIRE(total == static_cast<long>(n) * num_threads * rounds);
}

TEST_CASE("Threads call collectives and allocate concurrently, each on a separate team",
          "[Threads]") {
  if (!is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
  std::vector<dart_team_t> teams(num_threads);
  for (dart_team_t& team : teams)
    REQUIRE(dart_team_clone(DART_TEAM_ALL, &team) == DART_OK);
  const int me = my_id();
  const int n = num_units();
  on_threads([&](int thread) {
    int errors = 0;
    const dart_team_t team = teams[static_cast<std::size_t>(thread)];
    for (int round = 0; round < 20; ++round) {
      dart_gptr_t gptr;
      errors += count_error(dart_team_memalloc_aligned(team, 1000, DART_TYPE_INT, &gptr));
      gptr.unitid = (me + 1) % n;
      const int value = 100 * thread + round;
      errors += count_error(dart_put_blocking(gptr, &value, 1, DART_TYPE_INT, DART_TYPE_INT));
      errors += count_error(dart_barrier(team));
      gptr.unitid = me;
      int found = -1;
      errors += count_error(dart_get_blocking(&found, gptr, 1, DART_TYPE_INT, DART_TYPE_INT));
      int sum = 0;
      errors += count_error(dart_allreduce(&found, &sum, 1, DART_TYPE_INT, DART_OP_SUM, team));
      errors += sum == value * n ? 0 : 1;
      errors += count_error(dart_team_memfree(gptr));
      dart_team_t child = DART_TEAM_NULL;
      errors += count_error(dart_team_clone(team, &child));
      errors += count_error(dart_team_destroy(&child));
    }
    return errors;
  });
  for (dart_team_t& team : teams)
    REQUIRE(dart_team_destroy(&team) == DART_OK);
}

TEST_CASE("A second collective of a team in the same unit is an error", "[Threads]") {
  if (!is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
  if (num_units() == 1) DASH_SKIP("needs two units");
  dart_team_t team = DART_TEAM_NULL;
  REQUIRE(dart_team_clone(DART_TEAM_ALL, &team) == DART_OK);
  if (my_id() == 0) {
    // The first call waits for the other units; the second one is refused.
    std::atomic<int> refused{0};
    std::atomic<int> completed{0};
    const auto enter = [&] {
      if (dart_barrier(team) == DART_OK) {
        ++completed;
      } else {
        ++refused;
      }
    };
    std::thread one(enter);
    std::thread other(enter);
    while (refused == 0)
      dart_progress();
    barrier();
    one.join();
    other.join();
    REQUIRE(refused == 1);
    REQUIRE(completed == 1);
  } else {
    barrier();
    REQUIRE(dart_barrier(team) == DART_OK);
  }
  REQUIRE(dart_team_destroy(&team) == DART_OK);
}
