// dash-test: serial smoke=never

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "CountAllocations.h"
#include "dash/Async.h"
#include "dash/Future.h"
#include "dash/async/Engine.h"
#include "support/Catch.h"

using dash::Future;
using dash::Promise;
using dash::SharedFuture;
using dash::exception::Cancelled;
using dash::exception::RuntimeError;
using namespace std::chrono_literals;

namespace {

/// A function object whose parameter type is not known until it is called.
int doubled(int x) noexcept {
  return 2 * x;
}
struct Overloaded {
  std::string operator()(int) const { return "value"; }
  std::string operator()(const std::string&) const { return "text"; }
};

bool make_progress() {
  return dash::exec::Engine::instance().progress();
}

}  // namespace

TEST_CASE("A continuation that takes a future gets the failed one", "[then]") {
  Promise<int> promise;
  Future<std::string> future = promise.get_future().then([](Future<int> f) -> std::string {
    REQUIRE(f.test());
    try {
      f.get();
      return "no error";
    } catch (const std::out_of_range& error) {
      return error.what();
    }
  });
  promise.set_exception(std::make_exception_ptr(std::out_of_range("too far")));
  REQUIRE(future.get() == "too far");
  Future<int> ready = Future<int>(4).then([](Future<int>&& f) { return f.get() + 1; });
  REQUIRE(ready.get() == 5);
  Future<int> lazy =
      Future<int>([]() -> int { throw std::out_of_range("x"); }).then([](Future<int> f) {
        REQUIRE(f.test());
        return 8;
      });
  REQUIRE(lazy.get() == 8);
}

TEST_CASE("Functions of all kinds can be continuations", "[then]") {
  REQUIRE(Future<int>(2).then(doubled).get() == 4);
  REQUIRE(Future<int>(2).then(&doubled).get() == 4);
  REQUIRE(Future<int>(2).then(Overloaded()).get() == "value");
  REQUIRE(Future<int>(2).then([](auto x) { return x + 1; }).get() == 3);
  REQUIRE(Future<int>(2).then([](auto... x) { return sizeof...(x); }).get() == 1);
  REQUIRE(dash::make_ready_future().then([](auto... x) { return sizeof...(x); }).get() == 0);
  REQUIRE(Future<int>(2).then([n = 0](int x) mutable { return n += x; }).get() == 2);
  REQUIRE(Future<int>(2).then(std::function<long(int)>(doubled)).get() == 4);
  REQUIRE(Future<int>(2).then(std::bind(doubled, std::placeholders::_1)).get() == 4);
  std::function<int(Future<int>)> whole = [](Future<int> f) { return f.get(); };
  REQUIRE(Future<int>(2).then(whole).get() == 2);
  auto owner = std::make_unique<int>(5);
  REQUIRE(Future<int>(2).then([owner = std::move(owner)](int x) { return x + *owner; }).get() == 7);
}

TEST_CASE("A future returned by a function is unwrapped", "[then]") {
  const bool ready = GENERATE(true, false);
  Promise<int> outer;
  Promise<std::string> inner;
  if (ready) outer.set_value(1);
  Future<std::string> future = outer.get_future().then([&](int) { return inner.get_future(); });
  if (!ready) {
    REQUIRE_FALSE(future.test());
    outer.set_value(1);
  }
  REQUIRE_FALSE(future.test());
  REQUIRE_FALSE(future.test());
  std::thread owner([&] {
    std::this_thread::sleep_for(5ms);
    inner.set_value("inner");
  });
  REQUIRE(future.get() == "inner");
  owner.join();
}

TEST_CASE("A continuation may return a ready, failed, lazy or invalid future", "[then]") {
  Promise<void> outer;
  SharedFuture<void> begin = outer.get_future().share();
  Future<int> ready = begin.then([] { return Future<int>(3); });
  Future<int> failing = begin.then([]() -> Future<int> { throw std::out_of_range("outer"); });
  Future<int> failed = begin.then([] {
    Promise<int> broken;
    return broken.get_future();
  });
  Future<int> lazy = begin.then([] { return Future<int>([] { return 4; }); });
  Future<int> invalid = begin.then([] { return Future<int>(); });
  Future<void> nothing = begin.then([] { return dash::make_ready_future(); });
  outer.set_value();
  REQUIRE(ready.get() == 3);
  REQUIRE_THROWS_AS(failing.get(), std::out_of_range);
  REQUIRE_THROWS_AS(failed.get(), RuntimeError);
  REQUIRE(lazy.get() == 4);
  REQUIRE_THROWS_AS(invalid.get(), RuntimeError);
  nothing.get();
  REQUIRE_THROWS_AS(begin.then([] { return Future<int>(); }).get(), RuntimeError);
}

TEST_CASE("unwrap removes one level of futures", "[then]") {
  Promise<Future<int>> outer;
  Promise<int> inner;
  Future<int> future = outer.get_future().unwrap();
  outer.set_value(inner.get_future());
  REQUIRE_FALSE(future.test());
  inner.set_value(6);
  REQUIRE(future.get() == 6);
}

TEST_CASE("A copyable value is moved through a chain", "[then]") {
  Promise<std::vector<int>> promise;
  const int* where = nullptr;
  Future<std::vector<int>> future =
      promise.get_future().then([](std::vector<int> v) { return v; }).then([&](std::vector<int> v) {
        where = v.data();
        return v;
      });
  std::vector<int> values(100, 1);
  const int* const was = values.data();
  promise.set_value(std::move(values));
  future.wait();
  REQUIRE(where == was);
}

TEST_CASE("A chain of a million continuations completes", "[then]") {
  constexpr int count = 1'000'000;
  Promise<int> promise;
  Future<int> future = promise.get_future();
  const std::size_t before = allocations;
  for (int i = 0; i < count; ++i)
    future = future.then([](int x) { return x + 1; });
  const std::size_t after = allocations;
  promise.set_value(0);
  REQUIRE(future.get() == count);
  REQUIRE(after - before <= count);
}

#ifndef __SANITIZE_ADDRESS__  // pools are disabled
TEST_CASE("A chain of pending futures reuses the memory of earlier futures", "[then]") {
  const auto run_chain = [] {
    Promise<int> promise;
    Future<int> future = promise.get_future();
    for (int i = 0; i < 100; ++i)
      future = future.then([](int x) { return x + 1; });
    promise.set_value(0);
    return future.get();
  };
  REQUIRE(run_chain() == 100);
  const std::size_t before = allocations;
  const int result = run_chain();
  const std::size_t after = allocations;
  REQUIRE(result == 100);
  REQUIRE(after == before);
}
#endif

TEST_CASE("Any number of continuations run without a waiting thread", "[then]") {
  constexpr int count = 10'000;
  std::vector<Promise<int>> promises(count);
  int runs = 0;
  for (Promise<int>& promise : promises)
    promise.get_future().then([&](int) { ++runs; });
  for (Promise<int>& promise : promises)
    promise.set_value(1);
  while (make_progress()) {
  }
  REQUIRE(runs == count);
}

TEST_CASE("A wait returns while continuations attach further continuations endlessly", "[then]") {
  struct Endless {
    Promise<void> promise;
    bool stop = false;
    void attach_next() {
      promise = {};
      promise.get_future().then([this] {
        if (!stop) attach_next();
      });
      promise.set_value();
    }
  };
  Endless endless;
  endless.attach_next();
  Promise<int> promise;
  Future<int> future = promise.get_future().then([](int x) { return x + 1; });
  promise.set_value(1);
  REQUIRE(future.get() == 2);
  endless.stop = true;
  while (make_progress()) {
  }
}

TEST_CASE("A continuation may create, chain, store, combine, wait for and cancel futures",
          "[then]") {
  Promise<int> promise;
  Future<int> future = promise.get_future().then([](int x) {
    Promise<int> inner;
    Future<int> chained = inner.get_future().then([](int y) { return y + 1; });
    Promise<int> never;
    Future<int> given_up = never.get_future().then([](int y) { return y; });
    if (!given_up.cancel()) return -1;
    auto any = dash::when_any(std::move(chained), std::move(given_up)).get();
    inner.set_value(x);
    return std::get<0>(any.futures).get() + static_cast<int>(any.index);
  });
  promise.set_value(5);
  REQUIRE(future.get() == 7);
}

TEST_CASE("Chains of lazy futures of any length are computed, tested, destroyed or cancelled",
          "[then]") {
  constexpr int count = 300'000;
  const auto chain = [&](int& evaluated) {
    Future<int> future([&evaluated] {
      ++evaluated;
      return 0;
    });
    for (int i = 0; i < count; ++i)
      future = future.then([](int x) { return x + 1; });
    return future;
  };
  int evaluated = 0;
  REQUIRE(chain(evaluated).get() == count);
  Future<int> tested = chain(evaluated);
  REQUIRE(tested.test());
  REQUIRE(tested.get() == count);
  REQUIRE(evaluated == 2);
  chain(evaluated);
  Future<int> cancelled = chain(evaluated);
  REQUIRE(cancelled.cancel());
  REQUIRE_THROWS_AS(cancelled.get(), Cancelled);
  REQUIRE(evaluated == 2);
}

TEST_CASE("A lazy chain whose test function fails at first is tested again", "[then]") {
  bool is_available = false;
  Future<int> future = Future<int>([] { return 0; },
                                   [&](int* value) {
                                     *value = 7;
                                     return is_available;
                                   })
                           .then([](int x) { return x + 1; })
                           .then([](int x) { return 10 * x; });
  REQUIRE_FALSE(future.test());
  REQUIRE_FALSE(future.wait_for(1ms));
  is_available = true;
  REQUIRE(future.wait_for(10s));
  REQUIRE(future.get() == 80);
}

TEST_CASE("A timed wait returns at its deadline at the latest", "[then]") {
  Promise<int> promise;
  Future<int> future = promise.get_future();
  REQUIRE_FALSE(future.wait_for(2ms));
  REQUIRE_FALSE(future.wait_for(0ms));
  REQUIRE_FALSE(future.wait_for(-1h));
  REQUIRE_FALSE(future.wait_until(std::chrono::system_clock::now() + 2ms));
  REQUIRE_FALSE(future.wait_until(std::chrono::steady_clock::now() - 1h));
  std::thread owner([&] {
    std::this_thread::sleep_for(5ms);
    promise.set_value(1);
  });
  REQUIRE(future.wait_for(std::chrono::hours::max()));
  owner.join();
  REQUIRE(future.wait_for(0ms));
  REQUIRE(future.get() == 1);
  REQUIRE(Future<int>(1).wait_for(0ms));
  REQUIRE_THROWS_AS(Future<int>().wait_for(1ms), RuntimeError);
  // In a task, which is suspended.
  Promise<int> other;
  Future<bool> in_task =
      dash::async([pending = other.get_future()] { return pending.wait_for(2ms); });
  REQUIRE_FALSE(in_task.get());
}

TEST_CASE("Cancelling a pending continuation also cancels those that only it depends on",
          "[then]") {
  Promise<int> promise;
  int ran = 0;
  auto held = std::make_shared<int>(0);
  Future<int> future = promise.get_future()
                           .then([&ran, held](int x) {
                             ++ran;
                             return x;
                           })
                           .then([&ran](int x) {
                             ++ran;
                             return x;
                           });
  REQUIRE(held.use_count() == 2);
  REQUIRE(future.cancel());
  REQUIRE(held.use_count() == 1);
  REQUIRE(future.test());
  REQUIRE_FALSE(future.cancel());
  promise.set_value(1);
  make_progress();
  REQUIRE_THROWS_AS(future.get(), Cancelled);
  REQUIRE(ran == 0);
}

TEST_CASE("Continuations of a cancelled future fail, and running computations continue", "[then]") {
  Promise<int> promise;
  SharedFuture<int> shared = promise.get_future().share();
  Future<int> one = shared.then([](int x) { return x; });
  Future<int> two = shared.then([](int x) { return x + 1; });
  REQUIRE(one.cancel());  // but not the future on which `two` depends, too
  Future<std::string> after = one.then([](Future<int> f) -> std::string {
    try {
      f.get();
      return "value";
    } catch (const Cancelled&) {
      return "cancelled";
    }
  });
  REQUIRE(after.get() == "cancelled");
  promise.set_value(1);
  REQUIRE(two.get() == 2);
  REQUIRE_FALSE(two.cancel());
  REQUIRE_FALSE(Future<int>(1).cancel());
  Promise<int> kept;
  Future<int> plain = kept.get_future();
  REQUIRE_FALSE(plain.cancel());  // its promise will be fulfilled
  kept.set_value(3);
  REQUIRE(plain.get() == 3);
}

TEST_CASE("A lazy computation or a task that has not started can be cancelled", "[then]") {
  int ran = 0;
  Future<int> lazy([&] { return ++ran; });
  REQUIRE(lazy.cancel());
  REQUIRE_THROWS_AS(lazy.get(), Cancelled);
  Future<int> task = dash::async([&] { return ++ran; });
  REQUIRE(task.cancel());
  REQUIRE_THROWS_AS(task.get(), Cancelled);
  dash::exec::finish_jobs();
  REQUIRE(ran == 0);
}

TEST_CASE("Copies of a shared future have one value", "[SharedFuture]") {
  Promise<std::vector<int>> promise;
  SharedFuture<std::vector<int>> shared = promise.get_future().share();
  SharedFuture<std::vector<int>> copy = shared;
  int order = 0;
  Future<int> first = shared.then([&](const std::vector<int>& v) {
    REQUIRE(order++ == 0);
    return v[0];
  });
  Future<int> second = copy.then([&](const std::vector<int>& v) {
    REQUIRE(order++ == 1);
    return v[1];
  });
  Future<int> whole =
      copy.then([](SharedFuture<std::vector<int>> f) { return static_cast<int>(f.get().size()); });
  REQUIRE_FALSE(shared.test());
  promise.set_value(std::vector<int>{5, 6, 7});
  REQUIRE(second.get() == 6);
  REQUIRE(first.get() == 5);
  REQUIRE(whole.get() == 3);
  REQUIRE(&shared.get() == &copy.get());
  shared = {};
  REQUIRE_FALSE(shared.valid());
  REQUIRE_THROWS_AS(shared.get(), RuntimeError);
  REQUIRE(copy.get().size() == 3);
}

TEST_CASE("Futures of all kinds can be shared", "[SharedFuture]") {
  REQUIRE(Future<int>(1).share().get() == 1);
  dash::make_ready_future().share().get();
  int evaluated = 0;
  SharedFuture<int> lazy = Future<int>([&] { return ++evaluated; }).share();
  REQUIRE(evaluated == 0);
  SharedFuture<int> copy = lazy;
  Future<int> after = copy.then([](int x) { return x + 1; });
  REQUIRE(evaluated == 0);
  REQUIRE(after.get() == 2);
  REQUIRE(lazy.get() == 1);
  REQUIRE(evaluated == 1);
  SharedFuture<std::unique_ptr<int>> moved = Future<std::unique_ptr<int>>(std::make_unique<int>(4));
  REQUIRE(*moved.get() == 4);
  Promise<int> broken;
  SharedFuture<int> failing = broken.get_future();
  broken.set_exception(std::make_exception_ptr(std::out_of_range("x")));
  REQUIRE_THROWS_AS(failing.get(), std::out_of_range);
  REQUIRE_THROWS_AS(SharedFuture<int>(failing).get(), std::out_of_range);
  REQUIRE_THROWS_AS(Future<int>().share(), RuntimeError);
  // A value that is known in advance, with an operation in flight and with a lazy one.
  Promise<void> operation;
  Future<void> done = operation.get_future();
  SharedFuture<int> held =
      Future<int>(dash::exec::Operation(dash::exec::FutureAccess::state(done)), 9).share();
  REQUIRE_FALSE(held.test());
  operation.set_value();
  REQUIRE(held.get() == 9);
  Future<void> later([&] { ++evaluated; });
  SharedFuture<int> lazily =
      Future<int>(dash::exec::Operation(dash::exec::FutureAccess::state(later)), 8).share();
  REQUIRE(evaluated == 1);
  REQUIRE(lazily.get() == 8);
  REQUIRE(evaluated == 2);
}

TEST_CASE("Several threads that wait for a lazy future compute it once", "[SharedFuture]") {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> evaluated{0};
    SharedFuture<int> shared = Future<int>([&] {
                                 std::this_thread::sleep_for(100us);
                                 return ++evaluated;
                               }).then([](int x) {
                                   return x * 10;
                                 }).share();
    std::vector<std::thread> threads;
    std::atomic<int> sum{0};
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, copy = shared] { sum += copy.get(); });
    for (std::thread& thread : threads)
      thread.join();
    REQUIRE(sum == 40);
    REQUIRE(evaluated == 1);
  }
}

TEST_CASE("A lazy future is released when it is destroyed", "[then]") {
  auto held = std::make_shared<int>(0);
  {
    Future<int> one = Future<int>([held] { return *held; }).then([held](int x) { return x; });
    std::vector<Future<int>> both;
    both.push_back(Future<int>([held] { return *held; }));
    both.push_back(std::move(one));
    auto all = dash::when_all(std::move(both)).then([held](auto) {});
    auto any = dash::when_any(Future<int>([held] { return 0; }), Promise<int>().get_future());
    REQUIRE(held.use_count() > 4);
  }
  REQUIRE(held.use_count() == 1);
}
