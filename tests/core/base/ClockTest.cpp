// dash-test: serial
#include "dash/core/Clock.h"
#include "support/Catch.h"

#include <chrono>
#include <thread>

TEST_CASE("The clock counts nanoseconds and is monotonic") {
  std::uint64_t last = dash::core::now_ns();
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t now = dash::core::now_ns();
    REQUIRE(now >= last);
    last = now;
  }
  const std::uint64_t before = dash::core::now_ns();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(dash::core::now_ns() - before >= 5'000'000U);
}
