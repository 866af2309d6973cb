// dash-test: serial link=objects

// How threads learn the shortest sleep that yields the processor.

#include "base/TimedSleep.h"

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <thread>

#include "dash/core/Clock.h"
#include "support/Catch.h"

using dash::exec::TimedSleep;

namespace {

/// Number of consecutive sleeps that yielded after which a shorter one is tried.
constexpr int sleeps_before_decrease = 256;

/// A sleep that ends before the system has switched: the thread keeps its processor.
void sleep_without_yield(TimedSleep& sleep, std::uint64_t length_ns) {
  const TimedSleep::Observer observer(sleep, static_cast<std::int64_t>(length_ns));
  const std::uint64_t end = dash::core::now_ns() + 2 * length_ns;
  while (dash::core::now_ns() < end) {
  }
}

long voluntary_switches() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

/// A sleep that yields. On a loaded machine, even 100 us may pass before the system has switched.
void sleep_with_yield(TimedSleep& sleep, std::uint64_t length_ns) {
  const TimedSleep::Observer observer(sleep, static_cast<std::int64_t>(length_ns));
  const long before = voluntary_switches();
  do {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  } while (voluntary_switches() == before);
}

}  // namespace

TEST_CASE("Sleeps that keep the processor become longer, up to a limit") {
  TimedSleep sleep;
  CHECK(sleep.ns() == TimedSleep::shortest_ns);
  sleep_without_yield(sleep, sleep.ns());
  CHECK(sleep.ns() == 2 * TimedSleep::shortest_ns);
  for (int i = 0; i < 10; ++i)
    sleep_without_yield(sleep, sleep.ns());
  CHECK(sleep.ns() == TimedSleep::longest_ns);
}

TEST_CASE("Sleeps become shorter after many of them have yielded the processor") {
  TimedSleep sleep;
  for (int i = 0; i < 10; ++i)
    sleep_without_yield(sleep, sleep.ns());
  for (int i = 0; i < sleeps_before_decrease - 1; ++i)
    sleep_with_yield(sleep, sleep.ns());
  CHECK(sleep.ns() == TimedSleep::longest_ns);
  sleep_with_yield(sleep, sleep.ns());
  CHECK(sleep.ns() == TimedSleep::longest_ns / 2);
}

TEST_CASE("Long sleeps and sleeps without timeout have no effect") {
  TimedSleep sleep;
  sleep_without_yield(sleep, 2 * TimedSleep::longest_ns);
  { const TimedSleep::Observer endless(sleep, -1); }
  CHECK(sleep.ns() == TimedSleep::shortest_ns);
}

TEST_CASE("Interrupted sleeps have no effect") {
  for (;;) {
    TimedSleep sleep;
    const std::uint64_t begin = dash::core::now_ns();
    { const TimedSleep::Observer interrupted(sleep, TimedSleep::longest_ns); }
    // If the system preempted this thread, the whole sleep has passed.
    if (dash::core::now_ns() - begin >= TimedSleep::longest_ns) continue;
    CHECK(sleep.ns() == TimedSleep::shortest_ns);
    return;
  }
}
