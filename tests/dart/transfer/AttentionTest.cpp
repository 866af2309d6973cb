// dash-test: parallel units=2 layouts=nolocal modes=auto,poll env=DART_PUT_PROTOCOL:message

// A blocking transfer announces to its target that the caller waits. A target that waits itself then polls without
// sleeping: each sleep would delay the transfer by 0.1 ms.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Placement.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

namespace {

constexpr std::size_t nbytes = std::size_t{128} << 10;
constexpr int num_transfers = 400;

/// Sleeps of unit 1 in a barrier while unit 0 gets data from its memory.
std::uint64_t sleeps_of_target(const Bytes& segment) {
  std::vector<char> local(nbytes);
  barrier();
  dash::core::start_statistics();
  if (my_id() == 0) {
    // Then unit 1 sleeps, and polls about every half millisecond.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (int i = 0; i < num_transfers; ++i)
      REQUIRE(dart_get_blocking(local.data(), segment.at(1), nbytes, DART_TYPE_BYTE,
                                DART_TYPE_BYTE) == DART_OK);
  }
  barrier();
  const std::uint64_t sleeps = dash::core::statistics().of(dash::core::Counter::caller_sleeps);
  dash::core::stop_statistics();
  return sleeps;
}

}  // namespace

TEST_CASE("A unit that waits does not sleep while a peer performs blocking transfers",
          "[Attention]") {
  if (dash::dart::placement().oversubscribed) DASH_SKIP("units that share a processor sleep");
  const Bytes segment(nbytes);
  // It sleeps before the first transfer, and if unit 0 does not run for two milliseconds.
  std::uint64_t fewest = sleeps_of_target(segment);
  for (int i = 0; i < 9; ++i)
    fewest = std::min(fewest, sleeps_of_target(segment));
  INFO("sleeps: " << fewest);
  if (my_id() == 1) CHECK(fewest < num_transfers / 2);
}
