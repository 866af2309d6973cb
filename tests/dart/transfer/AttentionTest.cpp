// dash-test: parallel units=2 layouts=nolocal modes=auto,poll env=DART_PUT_PROTOCOL:message

// A blocking transfer tells its target that the caller waits. A target that waits itself then polls without sleeping:
// each sleep would delay the transfer by 0.1 ms.

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/core/Statistics.h"
#include "support/Catch.h"
#include "support/Runner.h"

using namespace dash::test;

TEST_CASE("A unit that waits hardly sleeps while a peer performs blocking transfers",
          "[Attention]") {
  if (std::thread::hardware_concurrency() < 2) DASH_SKIP("units that share a processor sleep");
  constexpr std::size_t nbytes = std::size_t{128} << 10;
  constexpr int num_transfers = 500;
  const Bytes segment(nbytes);
  std::vector<char> local(nbytes);
  barrier();
  dash::core::start_statistics();
  for (int i = 0; i < num_transfers && my_id() == 0; ++i) {
    REQUIRE(dart_put_blocking(segment.at(1), local.data(), nbytes, DART_TYPE_BYTE,
                              DART_TYPE_BYTE) == DART_OK);
    REQUIRE(dart_get_blocking(local.data(), segment.at(1), nbytes, DART_TYPE_BYTE,
                              DART_TYPE_BYTE) == DART_OK);
  }
  barrier();
  const std::uint64_t sleeps = dash::core::statistics().of(dash::core::Counter::caller_sleeps);
  dash::core::stop_statistics();
  INFO("sleeps: " << sleeps);
  CHECK(sleeps < num_transfers / 2);
}
