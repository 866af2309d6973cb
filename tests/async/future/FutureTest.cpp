// dash-test: serial

#include "dash/Future.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "CountAllocations.h"
#include "dash/async/Engine.h"
#include "support/Catch.h"

using dash::Future;
using dash::Promise;
using dash::exception::RuntimeError;

TEST_CASE("A future constructed from a value is ready and allocates nothing", "[Future]") {
  const std::size_t before = allocations;
  Future<int> future(7);
  REQUIRE(future.valid());
  REQUIRE(future.test());
  const int first = future.get();
  const int second = future.get();
  const std::size_t after = allocations;
  REQUIRE(first == 7);
  REQUIRE(second == 7);
  REQUIRE(after == before);
}

TEST_CASE("then on a ready future runs immediately and allocates nothing", "[Future]") {
  const std::size_t before = allocations;
  Future<int> future =
      Future<int>(3).then([](int x) { return x * 2; }).then([](int x) { return x + 1; });
  const int value = future.get();
  const std::size_t after = allocations;
  REQUIRE(value == 7);
  REQUIRE(after == before);
}

TEST_CASE("then on a pending future allocates at most once", "[Future]") {
  Promise<int> promise;
  Future<int> future = promise.get_future();
  dash::exec::Engine::instance();  // is created on first use
  const std::size_t before = allocations;
  Future<int> next = std::move(future).then([](int x) { return x + 1; });
  const std::size_t after = allocations;
  promise.set_value(1);
  REQUIRE(next.get() == 2);
  REQUIRE(after - before <= 1);
}

TEST_CASE("A default constructed future is invalid, and its functions throw", "[Future]") {
  Future<int> future;
  REQUIRE_FALSE(future.valid());
  REQUIRE_THROWS_AS(future.wait(), RuntimeError);
  REQUIRE_THROWS_AS(future.get(), RuntimeError);
  REQUIRE_THROWS_AS(future.test(), RuntimeError);
  REQUIRE_FALSE(Future<void>().valid());
}

TEST_CASE("Moving a future leaves an invalid one", "[Future]") {
  Future<int> source(1);
  Future<int> target = std::move(source);
  REQUIRE_FALSE(source.valid());
  REQUIRE(target.get() == 1);
  source = std::move(target);
  REQUIRE(source.get() == 1);
  REQUIRE_FALSE(target.valid());
}

TEST_CASE("A future with a get function evaluates it once, on demand", "[Future]") {
  int calls = 0;
  Future<int> future([&] { return ++calls; });
  REQUIRE(future.valid());
  REQUIRE(calls == 0);
  future.wait();
  REQUIRE(future.get() == 1);
  REQUIRE(future.get() == 1);
  REQUIRE(calls == 1);
}

TEST_CASE("test uses the test function or, if there is none, evaluates", "[Future]") {
  int gets = 0;
  bool available = false;
  Future<int> tested([&] { return ++gets; },
                     [&](int* value) {
                       *value = 42;
                       return available;
                     });
  REQUIRE_FALSE(tested.test());
  available = true;
  REQUIRE(tested.test());
  REQUIRE(tested.get() == 42);
  REQUIRE(gets == 0);
  Future<int> untested([&] { return ++gets; });
  REQUIRE(untested.test());
  REQUIRE(gets == 1);
}

TEST_CASE("The destroy function runs when the last owner is destroyed, without waiting",
          "[Future]") {
  int destroyed = 0;
  int evaluated = 0;
  {
    Future<int> future([&] { return ++evaluated; }, nullptr, [&] { ++destroyed; });
    Future<int> owner = std::move(future);
  }
  REQUIRE(destroyed == 1);
  REQUIRE(evaluated == 0);
}

TEST_CASE("Futures of void", "[Future]") {
  REQUIRE(dash::make_ready_future().valid());
  int calls = 0;
  Future<void> future([&] { ++calls; });
  future.get();
  future.get();
  REQUIRE(calls == 1);
  Promise<void> promise;
  Future<int> chained = promise.get_future().then([] { return 5; });
  REQUIRE_FALSE(chained.test());
  promise.set_value();
  REQUIRE(chained.get() == 5);
}

TEST_CASE("A promise fulfilled by another thread wakes the waiting thread", "[Future]") {
  Promise<std::string> promise;
  Future<std::string> future = promise.get_future();
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    promise.set_value("value");
  });
  REQUIRE(future.get() == "value");
  setter.join();
}

TEST_CASE("Exceptions propagate through a chain, whose functions do not run", "[Future]") {
  Promise<int> promise;
  int calls = 0;
  Future<int> future = promise.get_future()
                           .then([](int) -> int { throw std::out_of_range("too far"); })
                           .then([&](int x) {
                             ++calls;
                             return x;
                           });
  promise.set_value(1);
  REQUIRE_THROWS_AS(future.get(), std::out_of_range);
  REQUIRE_THROWS_AS(future.get(), std::out_of_range);
  REQUIRE(calls == 0);
}

TEST_CASE("Destroying an unfulfilled promise makes its future fail", "[Future]") {
  Future<int> future;
  {
    Promise<int> promise;
    future = promise.get_future();
  }
  REQUIRE_THROWS_AS(future.get(), RuntimeError);
}

TEST_CASE("A continuation runs on a thread that enters the library", "[Future]") {
  Promise<int> promise;
  std::thread::id ran_on;
  Future<void> future =
      promise.get_future().then([&](int) { ran_on = std::this_thread::get_id(); });
  std::thread([&] { promise.set_value(1); }).join();
  REQUIRE(ran_on == std::thread::id());
  future.wait();
  REQUIRE(ran_on == std::this_thread::get_id());
}

TEST_CASE("A continuation without a waiting thread runs at the next call of the library",
          "[Future]") {
  Promise<int> promise;
  bool ran = false;
  {
    Future<void> dropped = promise.get_future().then([&](int) { ran = true; });
  }
  promise.set_value(1);
  REQUIRE_FALSE(ran);
  dash::exec::Engine::instance().progress();
  REQUIRE(ran);
}

TEST_CASE("then of a lazy future is lazy", "[Future]") {
  int evaluated = 0;
  Future<int> future = Future<int>([&] { return ++evaluated; }).then([](int x) { return 10 * x; });
  REQUIRE(evaluated == 0);
  REQUIRE(future.get() == 10);
}

TEST_CASE("then of when_all of lazy futures runs when a thread waits for it", "[Future]") {
  int evaluated = 0;
  std::vector<Future<int>> futures;
  futures.emplace_back([&] { return ++evaluated; });
  futures.emplace_back([&] { return ++evaluated; });
  Future<int> sum = dash::when_all(std::move(futures)).then([](std::vector<Future<int>> all) {
    return all[0].get() + all[1].get();
  });
  REQUIRE(evaluated == 0);
  REQUIRE(sum.get() == 3);
}

TEST_CASE("A continuation that throws makes the result fail, immediately or later", "[Future]") {
  const auto thrower = [](int) -> int { throw std::out_of_range("too far"); };
  Future<int> immediate = Future<int>(1).then(thrower);
  REQUIRE_THROWS_AS(immediate.get(), std::out_of_range);
  Promise<int> promise;
  Future<int> later = promise.get_future().then(thrower);
  promise.set_value(1);
  REQUIRE_THROWS_AS(later.get(), std::out_of_range);
}

TEST_CASE("A promise can be fulfilled once", "[Future]") {
  Promise<int> promise;
  Future<int> future = promise.get_future();
  promise.set_value(1);
  REQUIRE_THROWS_AS(promise.set_value(2), RuntimeError);
  REQUIRE_THROWS_AS(promise.set_exception(nullptr), RuntimeError);
  REQUIRE(future.get() == 1);
  Promise<int> moved = std::move(promise);
  REQUIRE_THROWS_AS(promise.set_value(3), RuntimeError);
}

TEST_CASE("Move-only values", "[Future]") {
  Promise<std::unique_ptr<int>> promise;
  Future<int> future =
      promise.get_future().then([](std::unique_ptr<int> pointer) { return *pointer; });
  promise.set_value(std::make_unique<int>(9));
  REQUIRE(future.get() == 9);
}

TEST_CASE("when_all is ready when all futures are, and keeps their results", "[Future]") {
  Promise<int> first;
  Promise<int> second;
  std::vector<Future<int>> futures;
  futures.push_back(first.get_future());
  futures.push_back(Future<int>(2));
  futures.push_back(second.get_future());
  auto all = dash::when_all(std::move(futures));
  REQUIRE_FALSE(all.test());
  first.set_value(1);
  REQUIRE_FALSE(all.test());
  second.set_exception(std::make_exception_ptr(std::runtime_error("broken")));
  REQUIRE(all.test());
  // The failure affects only the future that failed.
  all.wait();
}

TEST_CASE("when_all of different types and of lazy futures", "[Future]") {
  Promise<int> promise;
  int evaluated = 0;
  auto all = dash::when_all(promise.get_future(), Future<std::string>([&] {
                              ++evaluated;
                              return std::string("x");
                            }));
  promise.set_value(4);
  all.wait();
  REQUIRE(evaluated == 1);
}

TEST_CASE("when_all of no futures is ready", "[Future]") {
  REQUIRE(dash::when_all(std::vector<Future<int>>()).test());
}

TEST_CASE("Several threads complete many futures concurrently", "[Future][stress]") {
  constexpr int threads = 4;
  constexpr int each = 2000;
  std::vector<Promise<int>> promises(threads * each);
  std::vector<Future<int>> futures;
  for (Promise<int>& promise : promises) {
    futures.push_back(promise.get_future().then([](int x) { return x + 1; }));
  }
  auto all = dash::when_all(std::move(futures));
  std::vector<std::thread> setters;
  for (int t = 0; t < threads; ++t) {
    setters.emplace_back([&, t] {
      for (int i = 0; i < each; ++i)
        promises[static_cast<std::size_t>(t * each + i)].set_value(i);
    });
  }
  std::vector<Future<int>> results = all.get();
  for (std::thread& setter : setters)
    setter.join();
  long sum = 0;
  for (Future<int>& result : results)
    sum += result.get();
  REQUIRE(sum == static_cast<long>(threads) * (static_cast<long>(each) * (each + 1) / 2));
}
