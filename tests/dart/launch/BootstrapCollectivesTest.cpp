// dash-test: serial link=objects

#include "launch/BootstrapCollectives.h"
#include "support/Catch.h"

TEST_CASE("The time limit after a failure grows with the memory to register", "[WaitLimit]") {
  constexpr std::uint64_t s = 1'000'000'000;
  CHECK(dash::dart::ns_after_failure() == 30 * s);
  CHECK(dash::dart::ns_after_failure(64 * 1024 * 1024) == 30 * s);
  CHECK(dash::dart::ns_after_failure(std::uint64_t{256} << 30) == 542 * s);
}
