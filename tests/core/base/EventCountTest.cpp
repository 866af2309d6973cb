// dash-test: serial threads=2
#include <atomic>
#include <thread>
#include <vector>

#include "dash/core/Clock.h"
#include "dash/core/Futex.h"
#include "support/Catch.h"

using dash::core::EventCount;
using dash::core::now_ns;

namespace {

constexpr std::int64_t ms = 1'000'000;

// Waits until `value` is at least `least`. The load is relaxed, so that only the EventCount orders it. If a
// wake-up is lost, the wait never ends, which the test runner reports.
void wait_until(EventCount& events, const std::atomic<int>& value, int least) {
  while (value.load(std::memory_order_relaxed) < least) {
    const EventCount::Key key = events.prepare();
    if (value.load(std::memory_order_relaxed) >= least) {
      events.cancel();
      break;
    }
    events.wait(key);
  }
}

}  // namespace

TEST_CASE("A wait ends at its timeout") {
  EventCount events;
  const std::uint64_t start = now_ns();
  CHECK_FALSE(events.wait(events.prepare(), 20 * ms));
  CHECK(now_ns() - start >= 20U * ms);
  CHECK_FALSE(events.wait(events.prepare(), 0));
}

TEST_CASE("A notification between prepare and wait is not lost") {
  EventCount events;
  const EventCount::Key key = events.prepare();
  events.notify_all();
  CHECK(events.wait(key));
}

TEST_CASE("A notification before prepare is not remembered") {
  EventCount events;
  events.notify_all();
  CHECK_FALSE(events.wait(events.prepare(), ms));
}

TEST_CASE("A cancelled registration has no effect") {
  EventCount events;
  const EventCount::Key before = events.prepare();
  events.cancel();
  events.notify_all();  // no waiter is registered: the epoch does not change
  CHECK(events.prepare() == before);
  events.cancel();
}

TEST_CASE("A notification wakes all sleepers") {
  EventCount events;
  std::atomic<int> flag{0};
  std::atomic<int> woken{0};
  std::vector<std::thread> sleepers;
  for (int t = 0; t < 4; ++t) {
    sleepers.emplace_back([&] {
      wait_until(events, flag, 1);
      ++woken;
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  flag.store(1, std::memory_order_relaxed);
  events.notify_all();
  for (std::thread& sleeper : sleepers) {
    sleeper.join();
  }
  CHECK(woken == 4);
}

TEST_CASE("No wake-up is lost in a ping-pong") {
  constexpr int rounds = 20'000;
  EventCount ping_events;
  EventCount pong_events;
  std::atomic<int> ping{0};
  std::atomic<int> pong{0};
  std::thread other([&] {
    for (int i = 1; i <= rounds; ++i) {
      wait_until(ping_events, ping, i);
      pong.store(i, std::memory_order_relaxed);
      pong_events.notify_all();
    }
  });
  for (int i = 1; i <= rounds; ++i) {
    ping.store(i, std::memory_order_relaxed);
    ping_events.notify_all();
    wait_until(pong_events, pong, i);
  }
  other.join();
  CHECK(pong == rounds);
}

// Both threads synchronize before each round, so that the check of the condition and the check for waiters happen
// within some nanoseconds. With a plain load in notify_all instead of the read-modify-write, this hangs on two
// processors.
TEST_CASE("No wake-up is lost when waiter and notifier race") {
  constexpr int rounds = 100'000;
  EventCount events;
  alignas(64) std::atomic<int> condition{0};
  alignas(64) std::atomic<int> waiter_round{0};
  alignas(64) std::atomic<int> notifier_round{0};
  const auto meet = [](std::atomic<int>& mine, std::atomic<int>& other, int round) {
    mine.store(round, std::memory_order_release);
    for (int spins = 0; other.load(std::memory_order_acquire) < round; ++spins) {
      if (spins > 1000) {
        std::this_thread::yield();
      }
    }
  };
  std::thread waiter([&] {
    for (int round = 1; round <= rounds; ++round) {
      meet(waiter_round, notifier_round, round);
      for (int delay = round % 16; delay > 0; --delay) {
        dash::core::cpu_relax();
      }
      wait_until(events, condition, round);
    }
  });
  for (int round = 1; round <= rounds; ++round) {
    meet(notifier_round, waiter_round, round);
    for (int delay = round / 16 % 16; delay > 0; --delay) {
      dash::core::cpu_relax();
    }
    condition.store(round, std::memory_order_relaxed);
    events.notify_all();
  }
  waiter.join();
  CHECK(waiter_round == rounds);
}

TEST_CASE("No wake-up is lost among several notifiers and waiters, and data become visible") {
  constexpr int nwaiters = 3;
  constexpr int nnotifiers = 2;
  constexpr int rounds = 10'000;
  EventCount events;
  EventCount taken_events;
  std::atomic<int> issued{0};
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < nwaiters; ++t) {
    threads.emplace_back([&] {
      // Takes tickets until none is left.
      for (;;) {
        int mine = taken.load(std::memory_order_relaxed);
        while (mine < issued.load(std::memory_order_relaxed) &&
               !taken.compare_exchange_weak(mine, mine + 1, std::memory_order_relaxed)) {
        }
        if (mine >= nnotifiers * rounds) {
          return;
        }
        if (mine < issued.load(std::memory_order_relaxed)) {
          taken_events.notify_all();
          continue;
        }
        wait_until(events, issued, mine + 1);
      }
    });
  }
  for (int t = 0; t < nnotifiers; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < rounds; ++i) {
        const int ticket = issued.fetch_add(1, std::memory_order_relaxed) + 1;
        events.notify_all();
        // Stay close to the waiters, or they never sleep.
        wait_until(taken_events, taken, ticket - nnotifiers);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(taken == nnotifiers * rounds);
}

TEST_CASE("Writes before notify_all are visible after wait") {
  constexpr int rounds = 5'000;
  EventCount events;
  std::atomic<int> consumed{0};
  int payload = 0;  // plain: ThreadSanitizer checks that the EventCount orders it
  std::atomic<bool> failed{false};
  EventCount::Key key = events.prepare();
  std::thread producer([&] {
    for (int i = 1; i <= rounds; ++i) {
      while (consumed.load(std::memory_order_acquire) != i - 1) {
        std::this_thread::yield();
      }
      payload = i;
      events.notify_all();
    }
  });
  for (int i = 1; i <= rounds; ++i) {
    if (!events.wait(key) || payload != i) {
      failed = true;
    }
    key = events.prepare();
    consumed.store(i, std::memory_order_release);
  }
  events.cancel();
  producer.join();
  CHECK_FALSE(failed);
}
