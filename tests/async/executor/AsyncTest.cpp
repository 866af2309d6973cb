// dash-test: serial

#include "dash/Async.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/core/Spin.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Workers.h"

using dash::Future;
using dash::Promise;

namespace {

std::mt19937 random_engine() {
  return std::mt19937(dash::test::seed());
}

/// A short delay, so that threads interleave in different orders.
void delay(std::mt19937& random) {
  for (volatile unsigned i = random() % 300; i > 0;)
    i = i - 1;
}

}  // namespace

TEST_CASE("A task returns its value, with arguments copied and moved", "[Async]") {
  const Workers workers(GENERATE(1, 2, 3));
  auto number = std::make_unique<int>(40);
  Future<int> sum =
      dash::async([](std::unique_ptr<int> a, int b) { return *a + b; }, std::move(number), 2);
  REQUIRE(sum.get() == 42);
  Future<std::unique_ptr<int>> moved = dash::async([] { return std::make_unique<int>(7); });
  REQUIRE(*moved.get() == 7);
  int seen = 0;
  dash::async([&] { seen = 1; }).get();
  REQUIRE(seen == 1);
}

TEST_CASE("The future of a task that returns a future has the value of the inner future",
          "[Async]") {
  const Workers workers(GENERATE(1, 2));
  Future<int> value =
      dash::async([] { return dash::async([] { return dash::async([] { return 5; }); }); });
  REQUIRE(value.get() == 5);
}

TEST_CASE("A task's exception reaches its future", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  Future<int> failing = dash::async([]() -> int { throw std::out_of_range("task"); });
  REQUIRE_THROWS_AS(failing.get(), std::out_of_range);
}

TEST_CASE("The captures of a task are destroyed when its future is ready", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  auto owned = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = owned;
  Future<void> done = dash::async([owned = std::move(owned)] {});
  done.wait();
  REQUIRE(watch.expired());
}

TEST_CASE("A task runs even if its future is destroyed", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  std::atomic<int> runs{0};
  for (int i = 0; i < 10; ++i)
    dash::async([&] { ++runs; });
  dash::exec::finish_jobs();
  REQUIRE(runs == 10);
}

TEST_CASE("progress() runs tasks", "[Async]") {
  const Workers workers(1);
  bool ran = false;
  const Future<void> task = dash::async([&] { ran = true; });
  REQUIRE_FALSE(ran);
  dash::exec::Engine::instance().progress();
  REQUIRE(ran);
}

TEST_CASE("Testing the future of a task runs the task", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  const Future<int> task = dash::async([] { return 3; });
  while (!task.test()) {
  }
  SUCCEED("the test ended");
}

TEST_CASE("A task that tests another task in a loop lets it run", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  const Future<void> outer = dash::async([] {
    const Future<void> inner = dash::async([] {});
    while (!inner.test()) {
    }
  });
  outer.wait();
  REQUIRE(outer.test());
}

TEST_CASE("A task that waits lets its thread run other tasks", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  Promise<int> promise;
  Future<int> future = promise.get_future();
  Future<int> reader = dash::async([&] { return future.get() + 1; });
  dash::async([&] { promise.set_value(1); });
  REQUIRE(reader.get() == 2);
}

TEST_CASE("Tasks wait in nested calls, to a depth of hundreds", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  struct Nested {
    static int depth(int n) {
      if (n == 0) return 0;
      return dash::async([n] { return depth(n - 1); }).get() + 1;
    }
  };
  REQUIRE(dash::async([] { return Nested::depth(300); }).get() == 300);
}

TEST_CASE("Exceptions being handled stay with a suspended task", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  constexpr int n = 50;
  std::vector<Promise<void>> promises(n);
  std::vector<Future<void>> gates;
  for (auto& promise : promises)
    gates.push_back(promise.get_future());
  std::vector<Future<std::string>> results;
  for (int i = 0; i < n; ++i) {
    results.push_back(dash::async([&, i]() -> std::string {
      try {
        throw std::runtime_error(std::to_string(i));
      } catch (...) {
        gates[static_cast<std::size_t>(i)].wait();
        try {
          throw;  // rethrows the exception that this task handles
        } catch (const std::exception& error) {
          return std::uncaught_exceptions() == 0 ? error.what() : "uncaught";
        }
      }
    }));
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  auto random = random_engine();
  std::shuffle(order.begin(), order.end(), random);
  const Future<void> opener = dash::async([&] {
    for (const int i : order)
      promises[static_cast<std::size_t>(i)].set_value();
  });
  for (int i = 0; i < n; ++i)
    REQUIRE(results[static_cast<std::size_t>(i)].get() == std::to_string(i));
  opener.wait();
}

TEST_CASE("Tasks that wait for each other in a random order all finish", "[Async]") {
  const Workers workers(GENERATE(1, 2, 3));
  auto random = random_engine();
  constexpr std::size_t n = 1000;
  for (int round = 0; round < 5; ++round) {
    std::vector<Promise<std::size_t>> promises(n);
    std::vector<Future<std::size_t>> futures;
    for (auto& promise : promises)
      futures.push_back(promise.get_future());
    // Task order[i] waits for order[i - 1]; they start in a different order.
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    std::vector<std::size_t> before(n, n);
    for (std::size_t i = 1; i < n; ++i)
      before[order[i]] = order[i - 1];
    for (std::size_t i = 0; i < n; ++i) {
      dash::async([&, i, seed = random()]() mutable {
        std::mt19937 own(static_cast<unsigned>(seed));
        delay(own);
        const std::size_t count = before[i] == n ? 0 : futures[before[i]].get() + 1;
        delay(own);
        promises[i].set_value(count);
      });
    }
    REQUIRE(futures[order.back()].get() == n - 1);
    dash::exec::finish_jobs();
  }
}

// Detects lost wake-ups if other threads preempt the workers.
TEST_CASE("Dismissing workers that run out of work at the same time does not hang",
          "[Async][stress]") {
  auto random = random_engine();
  for (int i = 0; i < 3000; ++i) {
    const Workers workers(2);
    dash::async([] {}).get();
    // About as long as a worker spins for more work.
    const auto from = std::chrono::steady_clock::now();
    const auto length = std::chrono::nanoseconds(random() % 40'000);
    while (std::chrono::steady_clock::now() - from < length)
      dash::core::cpu_relax();
  }
}

TEST_CASE("Threads of the application wait for tasks and start them", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  std::vector<std::thread> threads;
  std::atomic<int> sum{0};
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        sum += dash::async([i] { return dash::async([i] { return i; }).get(); }).get();
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  REQUIRE(sum == 3 * 199 * 100);
}

TEST_CASE("Tasks that wait for the same lazy future, whose computation waits, all return",
          "[Async]") {
  const Workers workers(GENERATE(1, 2));
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> computed{0};
    Future<int> deferred([&] {
      ++computed;
      return dash::async([] { return 4; }).get();
    });
    // Each has a separate reference to the same state.
    std::vector<Future<int>> readers;
    for (int i = 0; i < 5; ++i) {
      readers.push_back(dash::async([state = dash::exec::FutureAccess::state(deferred)] {
        state->wait();
        return 1;
      }));
    }
    int sum = 0;
    for (auto& reader : readers)
      sum += reader.get();
    REQUIRE(sum == 5);
    REQUIRE(deferred.get() == 4);
    REQUIRE(computed == 1);
  }
}

TEST_CASE("A lazy future that waits for itself fails instead of hanging", "[Async]") {
  Future<int>* self = nullptr;
  Future<int> deferred([&] { return self->get(); });
  self = &deferred;
  REQUIRE_THROWS_AS(deferred.get(), dash::exception::RuntimeError);
}

TEST_CASE("Tasks wait for conditions and for shared words", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  dash::exec::Engine& engine = dash::exec::Engine::instance();
  dash::exec::SharedWord word;
  std::atomic<bool> flag{false};
  std::vector<Future<void>> waiting;
  for (std::uint32_t i = 1; i <= 50; ++i) {
    waiting.push_back(dash::async([&, i] {
      engine.wait_shared(word, [i](std::uint32_t value) { return value >= i; });
      engine.wait_until([&] { return flag.load(); });
    }));
  }
  dash::async([&] {
    for (std::uint32_t i = 1; i <= 50; ++i) {
      word.publish(i);
      dash::exec::yield_to_jobs();
    }
  });
  dash::async([&] {
    engine.wait_shared(word, [](std::uint32_t value) { return value == 50; });
    flag = true;
    engine.completed();
  });
  for (auto& future : waiting)
    future.wait();
  dash::exec::finish_jobs();
  REQUIRE(word.value == 50);
}

TEST_CASE("Stacks of tasks are reused", "[Async]") {
  const Workers workers(GENERATE(1, 2));
  for (int i = 0; i < 5000; ++i)
    dash::async([] {});
  dash::exec::finish_jobs();
  REQUIRE(dash::exec::job_counts().unfinished == 0);
  REQUIRE(dash::exec::job_counts().waiting == 0);
}

TEST_CASE("A task that waits for the end of all tasks gets an exception", "[Async]") {
  const Workers workers(1);
  REQUIRE_THROWS_AS(dash::async([] { dash::exec::finish_jobs(); }).get(),
                    dash::exception::RuntimeError);
}

TEST_CASE("current_execution() distinguishes tasks and threads", "[Async]") {
  const Workers workers(1);
  const void* const thread = dash::exec::current_execution();
  REQUIRE_FALSE(dash::exec::in_job());
  Promise<void> gate;
  Future<void> open = gate.get_future();
  Future<const void*> first = dash::async([&] {
    const void* const before = dash::exec::current_execution();
    open.wait();
    return before == dash::exec::current_execution() ? before : nullptr;
  });
  const void* const second = dash::async([&] { return dash::exec::current_execution(); }).get();
  gate.set_value();
  const void* const waited = first.get();
  REQUIRE(waited != nullptr);
  REQUIRE(waited != second);
  REQUIRE(waited != thread);
  REQUIRE(second != thread);
}
