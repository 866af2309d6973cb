// dash-test: serial link=objects

// How long a nap has to be to give the processor away, as threads learn it.

#include "base/TimedSleep.h"

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <thread>

#include <catch2/catch.hpp>

#include "dash/core/Clock.h"

using dash::exec::TimedSleep;

namespace {

/// Sleeps that give the processor away after which a shorter one is tried.
constexpr int enough = 256;

/// A sleep that is over before the system has switched: its time passes on the processor.
void nap_in_vain(TimedSleep& nap, std::uint64_t length_ns) {
  const TimedSleep::Watched watched(nap, static_cast<std::int64_t>(length_ns));
  const std::uint64_t end = dash::core::now_ns() + 2 * length_ns;
  while (dash::core::now_ns() < end) {
  }
}

long times_slept() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

/// On a loaded machine even a sleep of 100 us may be over before the system has switched.
void nap_well(TimedSleep& nap, std::uint64_t length_ns) {
  const TimedSleep::Watched watched(nap, static_cast<std::int64_t>(length_ns));
  const long before = times_slept();
  do {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  } while (times_slept() == before);
}

}  // namespace

TEST_CASE("naps that keep the processor become longer, up to a limit") {
  TimedSleep nap;
  CHECK(nap.ns() == TimedSleep::shortest_ns);
  nap_in_vain(nap, nap.ns());
  CHECK(nap.ns() == 2 * TimedSleep::shortest_ns);
  for (int i = 0; i < 10; ++i)
    nap_in_vain(nap, nap.ns());
  CHECK(nap.ns() == TimedSleep::longest_ns);
}

TEST_CASE("naps that give the processor away become shorter, once they have done so often") {
  TimedSleep nap;
  for (int i = 0; i < 10; ++i)
    nap_in_vain(nap, nap.ns());
  for (int i = 0; i < enough - 1; ++i)
    nap_well(nap, nap.ns());
  CHECK(nap.ns() == TimedSleep::longest_ns);
  nap_well(nap, nap.ns());
  CHECK(nap.ns() == TimedSleep::longest_ns / 2);
}

TEST_CASE("long sleeps, endless ones and those that are cut short say nothing") {
  TimedSleep nap;
  nap_in_vain(nap, 2 * TimedSleep::longest_ns);
  { const TimedSleep::Watched endless(nap, -1); }
  { const TimedSleep::Watched woken(nap, TimedSleep::longest_ns); }
  CHECK(nap.ns() == TimedSleep::shortest_ns);
}
