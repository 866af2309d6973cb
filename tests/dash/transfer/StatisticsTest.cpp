// dash-test: parallel units=1,2,3,4 layouts=node,cliques,nolocal modes=auto,poll env=DART_STATS:1

// Every access is counted once, by its kind and path.

#include "dash/core/Statistics.h"

#include <array>
#include <string_view>
#include <thread>
#include <vector>

#include "dash/Array.h"
#include "dash/Async.h"
#include "dash/Init.h"
#include "dash/algorithm/Copy.h"
#include "dash/dart/Access.h"
#include "dash/dart/Placement.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Units.h"

using dash::core::Counter;
using dash::core::OperationKind;
using dash::core::OperationPath;
using dash::core::Statistics;
using dash::core::Traffic;

using dash::test::me;

namespace {

int right() {
  return (me() + 1) % static_cast<int>(dash::size());
}

/// The traffic of a kind, for all paths.
Traffic all_of(const Statistics& statistics, OperationKind kind) {
  Traffic sum;
  for (const Traffic& each : statistics.traffic[static_cast<std::size_t>(kind)]) {
    sum.operations += each.operations;
    sum.nbytes += each.nbytes;
  }
  return sum;
}

/// The difference of the counters since construction.
class Since {
 public:
  Traffic of(OperationKind kind) const {
    const Traffic now = all_of(dash::core::statistics(), kind);
    const Traffic then = all_of(_then, kind);
    return {now.operations - then.operations, now.nbytes - then.nbytes};
  }
  Traffic of(OperationKind kind, OperationPath path) const {
    const Statistics statistics = dash::core::statistics();
    const Traffic& now = statistics.of(kind, path);
    const Traffic& then = _then.of(kind, path);
    return {now.operations - then.operations, now.nbytes - then.nbytes};
  }
  std::uint64_t of(Counter counter) const {
    return dash::core::statistics().of(counter) - _then.of(counter);
  }

 private:
  Statistics _then = dash::core::statistics();
};

bool is(const Traffic& traffic, std::uint64_t operations, std::uint64_t nbytes) {
  CAPTURE(traffic.operations, traffic.nbytes);
  CHECK(traffic.operations == operations);
  CHECK(traffic.nbytes == nbytes);
  return traffic.operations == operations && traffic.nbytes == nbytes;
}

/// The largest element whose assignment does not wait for the target.
struct Large {
  int value = 0;
  std::array<int, 31> others{};
  bool operator==(const Large& other) const = default;
};

}  // namespace

TEST_CASE("Accesses to elements are counted once each", "[Statistics]") {
  dash::Array<double> array(10 * dash::size());
  array.barrier();
  const long at = 10L * right();
  const Since since;
  for (long i = 0; i < 7; ++i)
    array[at + i] = 1.5;
  double sum = 0;
  for (long i = 0; i < 5; ++i)
    sum += array[at + i];
  REQUIRE(sum == 7.5);
  REQUIRE(is(since.of(OperationKind::put), 7, 7 * sizeof(double)));
  REQUIRE(is(since.of(OperationKind::get), 5, 5 * sizeof(double)));
  const dart_gptr_t remote = (array.begin() + at).dart_gptr();
  const bool mapped = dash::dart::on_node_address(remote, sizeof(double)) != nullptr;
  if (mapped) REQUIRE(is(since.of(OperationKind::put, OperationPath::memory), 7, 56));
  if (!mapped) REQUIRE(is(since.of(OperationKind::put, OperationPath::memory), 0, 0));
  array.barrier();
}

TEST_CASE("Calls of the C interface are counted by kind and path", "[Statistics]") {
  constexpr std::size_t large = 100'000;
  dash::Array<char> array(large * dash::size());
  array.barrier();
  const dart_gptr_t remote = (array.begin() + right() * static_cast<long>(large)).dart_gptr();
  const bool mapped = dash::dart::on_node_address(remote, 1) != nullptr;
  std::vector<char> buffer(large, 'a');
  const Since since;
  REQUIRE(dart_put_blocking(remote, buffer.data(), 8, DART_TYPE_BYTE, DART_TYPE_BYTE) == DART_OK);
  dart_handle_t handle = DART_HANDLE_NULL;
  REQUIRE(dart_get_handle(buffer.data(), remote, large, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle) ==
          DART_OK);
  REQUIRE(dart_wait(&handle) == DART_OK);
  REQUIRE(is(since.of(OperationKind::put), 1, 8));
  REQUIRE(is(since.of(OperationKind::get), 1, large));
  if (mapped) REQUIRE(is(since.of(OperationKind::get, OperationPath::queue), 1, large));
  const std::int64_t one = 1;
  std::int64_t old = 0;
  REQUIRE(dart_fetch_and_op(remote, &one, &old, DART_TYPE_LONG, DART_OP_SUM) == DART_OK);
  REQUIRE(dart_flush(remote) == DART_OK);
  REQUIRE(dart_compare_and_swap(remote, &one, &old, &old, DART_TYPE_LONG) == DART_OK);
  REQUIRE(dart_flush(remote) == DART_OK);
  REQUIRE(dart_accumulate(remote, &one, 1, DART_TYPE_LONG, DART_OP_SUM) == DART_OK);
  REQUIRE(dart_flush(remote) == DART_OK);
  const OperationPath path = mapped ? OperationPath::memory : OperationPath::message;
  REQUIRE(is(since.of(OperationKind::atomic, path), 2, 16));
  REQUIRE(is(since.of(OperationKind::accumulate, path), 1, 8));
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  REQUIRE(dart_allreduce(&one, &old, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL) == DART_OK);
  REQUIRE(is(since.of(OperationKind::barrier), 1, 0));
  REQUIRE(is(since.of(OperationKind::collective), 1, 8));
  const dart_global_unit_t myself{me()};
  REQUIRE(dart_sendrecv(&one, 1, DART_TYPE_LONG, 3, myself, &old, 1, DART_TYPE_LONG, 3, myself) ==
          DART_OK);
  REQUIRE(is(since.of(OperationKind::send, OperationPath::memory), 1, 8));
  REQUIRE(is(since.of(OperationKind::receive, OperationPath::memory), 1, 8));
  array.barrier();
}

TEMPLATE_TEST_CASE("Many assignments to asynchronous elements of another node share messages",
                   "[Statistics]", int, Large) {
  // The progress thread divides them, since batches are sent when it polls.
  if (dash::dart::placement().progress != std::string_view("poll")) DASH_SKIP("for mode poll");
  constexpr int count = 1000;
  dash::Array<TestType> array(count * dash::size());
  array.barrier();
  const long at = count * right();
  const bool mapped =
      dash::dart::on_node_address((array.begin() + at).dart_gptr(), sizeof(TestType)) != nullptr;
  const Since since;
  for (int i = 0; i < count; ++i)
    array.async[at + i] = TestType{i};
  CHECK(is(since.of(OperationKind::put), count, count * sizeof(TestType)));
  if (!mapped) CHECK(since.of(OperationKind::put, OperationPath::message).operations >= count / 2);
  array.async.flush();
  array.barrier();
  for (int i = 0; i < count; ++i) {
    if (array.lbegin()[i] != TestType{i}) FAIL("element " << i << " is wrong");
  }
  array.barrier();
}

TEST_CASE("Copies of the library are counted as their component operations", "[Statistics]") {
  dash::Array<int> array(200 * dash::size());
  array.barrier();
  std::vector<int> local(100, 7);
  const Since since;
  dash::copy(local.data(), local.data() + local.size(), array.begin() + 200L * right());
  dash::copy(array.begin() + 200L * me(), array.begin() + (200L * me() + 50), local.data());
  REQUIRE(is(since.of(OperationKind::put), 1, 400));
  REQUIRE(is(since.of(OperationKind::get, OperationPath::memory), 1, 200));
  array.barrier();
}

TEST_CASE("Waits are counted by how they ended, tasks when they have run", "[Statistics]") {
  const Since since;
  dash::Promise<void> promise;
  dash::Future<void> future = promise.get_future();
  std::thread setter([&] {
    while (since.of(Counter::caller_sleeps) == 0)
      std::this_thread::yield();
    promise.set_value();
  });
  future.wait();
  setter.join();
  REQUIRE(since.of(Counter::waits_slept) == 1);
  REQUIRE(since.of(Counter::wait_ns) > 0);
  REQUIRE(since.of(Counter::caller_polls) >= since.of(Counter::useful_caller_polls));
  dash::exec::Operation().wait();
  REQUIRE(since.of(Counter::waits_ready) >= 1);
  for (int i = 0; i < 10; ++i)
    REQUIRE(dash::async([i] { return 2 * i; }).get() == 2 * i);
  REQUIRE(since.of(Counter::tasks) == 10);
  dash::barrier();
}

TEST_CASE("Counters of threads persist after the threads have ended", "[Statistics]") {
  dash::Array<int> array(dash::size());
  array.barrier();
  const Since since;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] { static_cast<void>(static_cast<int>(array[me()])); });
    for (std::thread& thread : threads)
      thread.join();
  }
  REQUIRE(is(since.of(OperationKind::get), 60, 60 * sizeof(int)));
  array.barrier();
}
