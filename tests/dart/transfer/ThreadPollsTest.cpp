// dash-test: parallel units=1,2,4 layouts=node modes=auto,thread

// On one node, the progress thread does not run while no copy is queued and it has no work that only it can do: it would
// interrupt the computation.

#include <chrono>
#include <cstdint>
#include <thread>

#include "dart/support/Fixture.h"
#include "dash/Async.h"
#include "dash/async/Executor.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Signal.h"
#include "dash/dart/Transfer.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::core::Counter;
using namespace dash::test;

namespace {

/// The number of wake-ups of the progress thread during the call.
template <class Function>
std::uint64_t wake_ups_during(const Function& function) {
  barrier();
  // Longer than the thread spins after its last work.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  dash::core::start_statistics();
  function();
  const dash::core::Statistics counts = dash::core::statistics();
  dash::core::stop_statistics();
  barrier();
  return counts.of(Counter::thread_polls) + counts.of(Counter::thread_sleeps) +
         counts.of(Counter::thread_parks);
}

}  // namespace

TEST_CASE("On one node, blocking operations and barriers do not wake the progress thread",
          "[ThreadPolls]") {
  const Bytes segment(sizeof(std::int64_t));
  CHECK(wake_ups_during([&] {
          for (int i = 0; i < 2000; ++i) {
            const dart_gptr_t next = segment.at((my_id() + 1) % num_units());
            const std::int64_t value = i;
            std::int64_t old = 0;
            REQUIRE(dart_put_blocking(next, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
            REQUIRE(dart_get_blocking(&old, next, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
            REQUIRE(dart_fetch_and_op(next, &value, &old, DART_TYPE_LONG, DART_OP_SUM) == DART_OK);
            barrier();
          }
        }) == 0);
}

TEST_CASE(
    "On one node, tasks that wait for signals do not wake the progress thread, without workers",
    "[ThreadPolls]") {
  if (dash::exec::has_job_workers()) DASH_SKIP("workers continue tasks while no caller waits");
  constexpr std::size_t data_offset = 64;
  const Bytes segment(2 * data_offset);
  auto& signal = *reinterpret_cast<dash::dart::Signal*>(segment.mine());  // 0, as all new memory
  CHECK(wake_ups_during([&] {
          for (std::uint32_t step = 1; step <= 500; ++step) {
            dash::Future<void> task =
                dash::async([&] { dash::dart::when_signal(signal, step)->wait(); });
            REQUIRE(dart_progress() == DART_OK);  // runs the task, which waits
            const int next = (my_id() + 1) % num_units();
            const std::int64_t value = step;
            dash::dart::put_signal(segment.at(next, data_offset), &value, sizeof value,
                                   segment.at(next), 1, dash::dart::SignalOp::add,
                                   dash::dart::SignalFlush::covers);
            task.get();
          }
        }) == 0);
}
