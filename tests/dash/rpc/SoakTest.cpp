// dash-test: parallel units=2,3 layouts=node,nolocal modes=auto,poll timeout=600 quick=never
//
// Millions of calls leave nothing behind.

#include <fstream>
#include <string>

#include "dash/Aggregator.h"
#include "dash/Collectives.h"
#include "dash/DistObject.h"
#include "dash/Rpc.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Units.h"

namespace {

using dash::test::me;
using dash::test::nunits;

/// Memory of this process in KiB, without that which other processes share.
long resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("RssAnon:", 0) == 0) return std::stol(line.substr(8));
  }
  FAIL("/proc/self/status has no line RssAnon");
  return 0;
}

void add(dash::DistObject<long>& sum, long n) {
  *sum += n;
}

/// Calls without and with results, of both kinds, and in batches: 10 for each iteration.
void call_often(dash::DistObject<long>& sum, long iterations) {
  const int peer = (me() + 1) % nunits();
  dash::Aggregator<void(long)> aggregated(add, sum);
  for (long i = 0; i < iterations; ++i) {
    dash::rpc_ff(
        peer, [](std::string text) { return text.size(); }, std::string("a string"));
    dash::am_ff(peer, add, sum, 1L);
    auto task = dash::rpc(
        peer, [](long n) { return n + 1; }, i);
    auto handler = dash::am(
        peer, [](long n) { return n + 2; }, i);
    for (long k = 0; k < 6; ++k)
      aggregated(peer, 1L);
    REQUIRE(task.get() == i + 1);
    REQUIRE(handler.get() == i + 2);
  }
  dash::quiesce();
}

}  // namespace

TEST_CASE("rpc: ten million calls leave no memory behind") {
  constexpr long warm_up = 20'000;
  constexpr long calls = 10'000'000;
  const long iterations = calls / 10 / nunits();
  dash::DistObject<long> sum(0);
  call_often(sum, warm_up);
  const long before = resident_kib();
  call_often(sum, iterations);
  const long after = resident_kib();
  REQUIRE(*sum == 7 * (warm_up + iterations));
  // A leak of one byte for each call of the unit would take 3 to 5 MB.
  CAPTURE(before, after);
  REQUIRE(after - before < 2048);
}
