// dash-test: serial

// Threads that sleep without a timeout and are needed again, although no thread that polls learns of the new work. A
// test that fails does not end.

#include <atomic>
#include <chrono>
#include <thread>

#include "TestedEngine.h"
#include "dash/Async.h"
#include "dash/Future.h"
#include "dash/async/Engine.h"
#include "dash/async/SharedWord.h"
#include "support/Catch.h"
#include "support/Workers.h"

using dash::core::ProgressMode;
using dash::exec::Engine;
using dash::test::CountdownSource;
using dash::test::StartedEngine;
using namespace std::chrono_literals;

namespace {

/// Time in which a thread without work goes to sleep.
void let_others_sleep() {
  std::this_thread::sleep_for(50ms);
}

/// Waits without a call of the library, so that this thread does not help.
void wait_outside_library(const std::atomic<bool>& flag) {
  while (!flag)
    std::this_thread::yield();
}

}  // namespace

TEST_CASE("Without a progress thread, the notification of new work wakes a caller", "[Engine]") {
  CountdownSource source;
  const StartedEngine engine(ProgressMode::poll);
  dash::Promise<int> promise;
  int value = 0;
  std::thread caller([&] { value = promise.get_future().get(); });
  let_others_sleep();
  const auto forwarded = source.start(10).then([&](int result) { promise.set_value(result); });
  caller.join();
  REQUIRE(value == 17);
}

TEST_CASE("Without workers, a task of one thread runs while another waits for a unit", "[Async]") {
  const StartedEngine engine(GENERATE(ProgressMode::thread, ProgressMode::poll));
  dash::exec::SharedWord word;
  std::thread caller([&word] {
    Engine::instance().wait_shared(word, [](std::uint32_t value) { return value == 1; });
  });
  let_others_sleep();
  auto task = dash::async([&word] { word.add(1); });
  caller.join();
  task.get();
  REQUIRE(word.value == 1);
}

TEST_CASE("A suspended task reaches its deadline while its thread sleeps and the workers compute",
          "[Async]") {
  const StartedEngine engine(ProgressMode::thread);
  const Workers workers(2);
  std::atomic<bool> computes = false;
  std::atomic<bool> ends = false;
  auto computation = dash::async([&] {
    computes = true;
    wait_outside_library(ends);
  });
  wait_outside_library(computes);
  dash::Promise<int> never;
  const auto future = never.get_future().share();
  auto timed = dash::async([&] {
    let_others_sleep();  // the progress thread
    return future.wait_for(10ms);
  });
  CHECK_FALSE(timed.get());
  ends = true;
  computation.get();
}

TEST_CASE("A continuation for a suspended task runs although the last thread that waits returns",
          "[Async]") {
  const StartedEngine engine(ProgressMode::thread);
  const Workers workers(2);
  std::atomic<bool> computes = false;
  std::atomic<bool> begun = false;
  auto computation = dash::async([&] {
    computes = true;
    wait_outside_library(begun);
  });
  wait_outside_library(computes);
  dash::Promise<void> waited;
  dash::Promise<int> promise;
  std::atomic<bool> ended = false;
  // Runs on this thread, since the worker computes.
  auto task = dash::async([&] {
    begun = true;
    let_others_sleep();  // the worker
    dash::Future<int> result = promise.get_future().then([](int value) { return value + 1; });
    // The continuation becomes ready, and no task waits for it yet.
    std::thread([&promise] { promise.set_value(17); }).join();
    waited.set_value();
    ended = result.get() == 18;
  });
  waited.get_future().get();
  wait_outside_library(ended);
  task.get();
  computation.get();
}
