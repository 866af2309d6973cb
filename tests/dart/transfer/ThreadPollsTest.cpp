// dash-test: parallel units=1,2,4 layouts=node modes=auto,thread

// On one node, the progress thread does not run while no copy is queued: it would interrupt the computation.

#include <chrono>
#include <cstdint>
#include <thread>

#include "dart/support/Fixture.h"
#include "dash/core/Statistics.h"
#include "support/Catch.h"

using dash::core::Counter;
using namespace dash::test;

TEST_CASE("On one node, blocking operations and barriers do not wake the progress thread",
          "[ThreadPolls]") {
  const Bytes segment(sizeof(std::int64_t));
  barrier();
  std::this_thread::sleep_for(
      std::chrono::milliseconds(20));  // longer than the thread spins after its last work
  dash::core::start_statistics();
  for (int i = 0; i < 2000; ++i) {
    const dart_gptr_t next = segment.at((my_id() + 1) % num_units());
    const std::int64_t value = i;
    std::int64_t old = 0;
    REQUIRE(dart_put_blocking(next, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    REQUIRE(dart_get_blocking(&old, next, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    REQUIRE(dart_fetch_and_op(next, &value, &old, DART_TYPE_LONG, DART_OP_SUM) == DART_OK);
    barrier();
  }
  const dash::core::Statistics counts = dash::core::statistics();
  dash::core::stop_statistics();
  CHECK(counts.of(Counter::thread_polls) == 0);
  CHECK(counts.of(Counter::thread_sleeps) + counts.of(Counter::thread_parks) == 0);
}
