// dash-test: serial

#include "dash/WaitAny.h"

#include <array>
#include <chrono>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "dash/Async.h"
#include "dash/Future.h"
#include "support/Catch.h"

using dash::Future;
using dash::Promise;
using dash::SharedFuture;
using dash::exception::RuntimeError;
using namespace std::chrono_literals;

TEST_CASE("wait_any returns the first ready future and skips invalid ones", "[wait_any]") {
  std::array<Promise<int>, 3> promises;
  std::vector<Future<int>> futures;
  for (Promise<int>& promise : promises)
    futures.push_back(promise.get_future());
  promises[2].set_value(2);
  REQUIRE(dash::wait_any(futures) == 2);
  REQUIRE(futures[2].get() == 2);
  promises[0].set_exception(std::make_exception_ptr(std::out_of_range("x")));
  REQUIRE(dash::wait_any(futures) == 0);
  REQUIRE_THROWS_AS(futures[0].get(), std::out_of_range);
  futures[0] = {};
  REQUIRE(dash::wait_any(std::span(futures).first(1)) == dash::no_future);
  REQUIRE(dash::wait_any(futures) == 2);
  futures[2] = {};
  promises[1].set_value(1);
  REQUIRE(dash::wait_any(futures) == 1);
  futures[1] = {};
  REQUIRE(dash::wait_any(futures) == dash::no_future);
}

TEST_CASE("wait_some returns all ready futures in ascending order", "[wait_some]") {
  std::array<Promise<void>, 4> promises;
  std::array<Future<void>, 4> futures;
  for (std::size_t i = 0; i < 4; ++i)
    futures[i] = promises[i].get_future();
  promises[3].set_value();
  promises[1].set_value();
  REQUIRE(dash::wait_some(futures) == std::vector<std::size_t>{1, 3});
  futures[1] = {};
  futures[3] = {};
  std::thread setter([&] {
    std::this_thread::sleep_for(5ms);
    promises[2].set_value();
  });
  REQUIRE(dash::wait_some(futures) == std::vector<std::size_t>{2});
  setter.join();
  REQUIRE(dash::wait_some(std::vector<Future<int>>()).empty());
}

TEST_CASE("wait_any sleeps until another thread completes a future", "[wait_any]") {
  std::vector<Promise<int>> promises(100);
  std::vector<SharedFuture<int>> futures;
  for (Promise<int>& promise : promises)
    futures.push_back(promise.get_future().share());
  std::thread setter([&] {
    for (std::size_t i = promises.size(); i-- > 0;) {
      std::this_thread::sleep_for(100us);
      promises[i].set_value(static_cast<int>(i));
    }
  });
  std::size_t ready = 0;
  for (std::size_t i; (i = dash::wait_any(futures)) != dash::no_future; ++ready) {
    REQUIRE(futures[i].get() == static_cast<int>(i));
    futures[i] = {};
  }
  setter.join();
  REQUIRE(ready == promises.size());
}

TEST_CASE("wait_any tests lazy futures beside others", "[wait_any]") {
  int evaluated = 0;
  std::vector<Future<int>> lazies;
  lazies.emplace_back([&] { return ++evaluated; });
  lazies.emplace_back([&] { return ++evaluated; });
  REQUIRE(dash::wait_any(lazies) == 0);
  REQUIRE(evaluated == 1);
  Promise<int> soon;
  std::vector<Future<int>> mixed;
  mixed.emplace_back([] { return 0; }, [](int*) { return false; });  // is never ready
  mixed.push_back(soon.get_future());
  std::thread setter([&] {
    std::this_thread::sleep_for(5ms);
    soon.set_value(1);
  });
  REQUIRE(dash::wait_any(mixed) == 1);
  setter.join();
}

TEST_CASE("wait_any in a task lets the tasks run for which it waits", "[wait_any]") {
  auto waiting = dash::async([] {
    std::vector<Future<std::size_t>> inner;
    for (std::size_t i = 0; i < 8; ++i)
      inner.push_back(dash::async([i] { return i; }));
    std::size_t sum = 0;
    for (std::size_t i; (i = dash::wait_any(inner)) != dash::no_future;) {
      sum += inner[i].get();
      inner[i] = {};
    }
    return sum;
  });
  REQUIRE(waiting.get() == 28);
}

TEST_CASE("wait_any for futures that all depend on the caller throws", "[wait_any]") {
  Promise<int> first;
  std::vector<Future<int>> dependent;
  bool has_thrown = false;
  auto source = first.get_future().then([&](int x) {
    try {
      dash::wait_any(dependent);
    } catch (const RuntimeError&) {
      has_thrown = true;
    }
    return x;
  });
  dependent.push_back(std::move(source).then([](int x) { return x + 1; }));
  first.set_value(1);
  REQUIRE(dependent[0].get() == 2);
  REQUIRE(has_thrown);
}
