// dash-test: serial

#include "dash/async/Watch.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "TestedEngine.h"
#include "dash/Async.h"
#include "dash/Future.h"
#include "dash/async/Engine.h"
#include "dash/core/Clock.h"
#include "dash/core/Settings.h"
#include "dash/core/StackTrace.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::exec::Activity;
using dash::exec::Engine;
using dash::exec::Purpose;
using dash::exec::WaitReport;
using dash::exec::Watch;

namespace {

/// So long that no actual wait in the tests becomes overdue; the tests pass artificial times.
constexpr std::uint64_t timeout_ns = 3'600'000'000'000;

/// Starts the engine and the watch for the duration of a test case.
class StartedWatch {
 public:
  StartedWatch() { Watch::start(timeout_ns); }
  ~StartedWatch() { Watch::stop(); }
  StartedWatch(const StartedWatch&) = delete;
  StartedWatch& operator=(const StartedWatch&) = delete;

 private:
  dash::test::StartedEngine _engine{dash::core::ProgressMode::poll};
};

/// Waits until `count` waits are registered, and returns them.
std::vector<WaitReport> report_of(std::size_t count) {
  std::vector<WaitReport> waits;
  do {
    std::this_thread::yield();
    waits = Watch::report(dash::core::now_ns());
  } while (waits.size() != count);
  return waits;
}

[[gnu::noinline]] void wait_for_future(const dash::Future<void>& future) {
  future.wait();
  asm volatile("");  // prevents a tail call, so that the function stays on the stack
}

bool calls(const WaitReport& wait, const std::string& function) {
  return std::any_of(wait.stack.begin(), wait.stack.end(), [&](void* address) {
    return dash::core::describe_frame(address).function.find(function) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("A wait is reported while it lasts, with its purpose and its stack", "[Watch]") {
  const StartedWatch watch;
  dash::Promise<void> promise;
  std::atomic<int> tid{0};
  std::thread waiter([&, future = promise.get_future()] {
    tid = ::gettid();
    const Activity call(Activity::Kind::call, "the_call");
    const Purpose reason("number {} of {}", 3, 4);
    const Purpose detail("a detail");
    wait_for_future(future);
  });
  const WaitReport wait = report_of(1).front();
  CHECK(wait.what == "number 3 of 4 (a future)");
  CHECK(wait.call == "the_call");
  CHECK(wait.thread == tid);
  CHECK_FALSE(wait.in_job);
  CHECK(calls(wait, "wait_for_future"));
  CHECK(Watch::last_call().name == std::string("the_call"));
  CHECK(Watch::last_call().inside);
  promise.set_value();
  waiter.join();
  CHECK(Watch::report(dash::core::now_ns()).empty());
  CHECK_FALSE(Watch::last_call().inside);
}

TEST_CASE("A wait is overdue after the timeout, and again after twice its age", "[Watch]") {
  const StartedWatch watch;
  dash::Promise<void> promise;
  std::thread waiter([future = promise.get_future()] { wait_for_future(future); });
  report_of(1);
  const std::uint64_t now =
      dash::core::now_ns();  // after the begin of the wait, so that its age is not negative
  const std::uint64_t begin = now - Watch::report(now).front().since_ns;
  CHECK_FALSE(Watch::any_overdue(begin + timeout_ns - 1));
  CHECK(Watch::any_overdue(begin + timeout_ns));
  // A report long before the timeout has no effect; one after half of it postpones the due time.
  Watch::report(begin + timeout_ns / 4);
  CHECK(Watch::any_overdue(begin + timeout_ns));
  REQUIRE(Watch::report(begin + timeout_ns).size() == 1);
  CHECK_FALSE(Watch::any_overdue(begin + 2 * timeout_ns - 1));
  CHECK(Watch::any_overdue(begin + 2 * timeout_ns));
  Watch::report(begin + 3 * timeout_ns);
  CHECK_FALSE(Watch::any_overdue(begin + 6 * timeout_ns - 1));
  CHECK(Watch::any_overdue(begin + 6 * timeout_ns));
  promise.set_value();
  waiter.join();
  CHECK_FALSE(Watch::any_overdue(begin + 100 * timeout_ns));
}

TEST_CASE("The reported purpose of a wait in a continuation is not that of the thread that runs it",
          "[Watch]") {
  const StartedWatch watch;
  dash::Promise<void> first;
  dash::Promise<void> second;
  dash::Future<void> inner = second.get_future();
  dash::Future<void> outer = first.get_future().then([&] { wait_for_future(inner); });
  std::thread waiter([&] {
    const Activity call(Activity::Kind::call, "the_call");
    const Purpose reason("the reason");
    outer.wait();
  });
  CHECK(report_of(1).front().what == "the reason (a future)");
  first.set_value();
  const std::vector<WaitReport> waits = report_of(2);  // the outer wait is the longer one
  CHECK(waits[0].what == "the reason (a future)");
  CHECK(waits[1].what == "a future");
  CHECK(waits[1].call.empty());
  second.set_value();
  waiter.join();
}

TEST_CASE("Waits of suspended tasks are reported, waits of services are not", "[Watch]") {
  const StartedWatch watch;
  dash::Promise<void> promise;
  dash::SharedFuture<void> future = promise.get_future().share();
  std::vector<dash::Future<void>> tasks;
  for (long i = 0; i < 10; ++i) {
    tasks.push_back(dash::async([future, i] {
      const Purpose reason("task {}", i);
      future.wait();
    }));
  }
  dash::Future<void> service = dash::async([future] {
    const Activity idle(Activity::Kind::service, "nothing in particular");
    future.wait();
  });
  std::atomic<bool> stop{false};
  std::thread runner([&] {
    while (!stop)
      Engine::instance().progress();
  });
  const std::vector<WaitReport> waits = report_of(10);
  std::vector<std::string> reasons;
  for (const WaitReport& wait : waits) {
    CHECK(wait.in_job);
    reasons.push_back(wait.what);
  }
  std::sort(reasons.begin(), reasons.end());
  for (std::size_t i = 0; i < reasons.size(); ++i)
    CHECK(reasons[i] == "task " + std::to_string(i) + " (a future)");
  promise.set_value();
  for (const dash::Future<void>& task : tasks)
    task.wait();
  service.wait();
  stop = true;
  runner.join();
}

TEST_CASE("Waits begin and end while another thread creates reports", "[Watch][stress]") {
  const StartedWatch watch;
  constexpr int rounds = 300;
  std::atomic<int> running{3};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 3; ++i) {
    threads.emplace_back([&running, &wrong, i] {
      std::mt19937 random(dash::test::seed() + i);
      for (int round = 0; round < rounds; ++round) {
        dash::Promise<int> promise;
        dash::Future<int> future = promise.get_future();
        std::thread setter([&promise, pause = random() % 200, round] {
          std::this_thread::sleep_for(std::chrono::microseconds(pause));
          promise.set_value(round);
        });
        const Purpose reason("round {}", round);
        if (future.get() != round) ++wrong;
        setter.join();
      }
      --running;
    });
  }
  while (running != 0) {
    for (const WaitReport& wait : Watch::report(dash::core::now_ns())) {
      if (!wait.what.starts_with("round ")) ++wrong;
    }
    static_cast<void>(Watch::any_overdue(dash::core::now_ns()));
  }
  for (std::thread& thread : threads)
    thread.join();
  CHECK(wrong == 0);
  CHECK(Watch::report(dash::core::now_ns()).empty());
}
