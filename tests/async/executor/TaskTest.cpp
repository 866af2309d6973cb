// dash-test: serial

#include "dash/Task.h"

#include <chrono>
#include <coroutine>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "dash/Async.h"
#include "dash/async/Engine.h"
#include "support/Catch.h"

using dash::Future;
using dash::Promise;
using dash::SharedFuture;
using dash::Task;
using dash::exception::RuntimeError;
using namespace std::chrono_literals;

namespace {

/// A coroutine type of an application that does not use dash::Task.
struct DetachedCoroutine {
  struct promise_type {
    DetachedCoroutine get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const { throw; }
  };
};

Task<int> value_of(Future<int> future) {
  co_return co_await std::move(future);
}
Task<int> sum_of(Future<int> a, Future<int> b) {
  const int first = co_await value_of(std::move(a));
  co_return first + co_await value_of(std::move(b));
}
Task<void> record_steps(std::vector<std::string>& notes, std::string text, Future<void> future) {
  notes.push_back(text + " begins");
  co_await std::move(future);
  notes.push_back(text + " ends");
}
Task<int> thrower() {
  throw std::out_of_range("too far");
  co_return 1;
}
Task<int> depth(int n, SharedFuture<int> bottom) {
  if (n == 0) co_return co_await bottom;
  co_return 1 + co_await depth(n - 1, bottom);
}
Task<std::unique_ptr<int>> owner(std::unique_ptr<int> pointer) {
  co_return pointer;
}
Task<const int*> address(const SharedFuture<int>& shared) {
  const int& value = co_await shared;
  co_return &value;
}
Task<int> copy_of(Future<int> future) {
  co_return co_await std::move(future).share();
}
Task<int> waits_for(SharedFuture<int>& own, Future<void> begin) {
  co_await std::move(begin);
  co_return own.get();
}
Task<std::thread::id> thread_after(Future<void> future) {
  co_await std::move(future);
  co_return std::this_thread::get_id();
}

}  // namespace

TEST_CASE("A task runs when it is started, and is ready if it does not wait", "[Task]") {
  std::vector<std::string> notes;
  Task<void> task = record_steps(notes, "task", dash::make_ready_future());
  REQUIRE(notes.empty());
  Future<void> future = task.start();
  REQUIRE_FALSE(task.valid());
  REQUIRE(notes.size() == 2);
  REQUIRE(future.test());
}

TEST_CASE("A task continues when the awaited future is ready", "[Task]") {
  Promise<int> one;
  Promise<int> two;
  Future<int> sum = sum_of(one.get_future(), two.get_future()).start();
  REQUIRE_FALSE(sum.test());
  two.set_value(2);
  REQUIRE_FALSE(sum.test());
  one.set_value(1);
  REQUIRE(sum.get() == 3);
}

TEST_CASE(
    "A task continues on a thread that enters the library, not on the thread that sets the value",
    "[Task]") {
  Promise<void> promise;
  Future<std::thread::id> future = thread_after(promise.get_future()).start();
  std::thread([&] { promise.set_value(); }).join();
  REQUIRE(future.get() == std::this_thread::get_id());
}

TEST_CASE("Exceptions propagate through tasks", "[Task]") {
  REQUIRE_THROWS_AS(thrower().start().get(), std::out_of_range);
  const auto outer = []() -> Task<int> { co_return co_await thrower() + 1; };
  REQUIRE_THROWS_AS(outer().start().get(), std::out_of_range);
  Promise<int> promise;
  Future<int> future = value_of(promise.get_future()).start();
  promise.set_exception(std::make_exception_ptr(std::out_of_range("x")));
  REQUIRE_THROWS_AS(future.get(), std::out_of_range);
  const auto catcher = []() -> Task<int> {
    try {
      co_return co_await thrower();
    } catch (const std::out_of_range&) {
    }
    co_return 7;
  };
  REQUIRE(catcher().start().get() == 7);
}

TEST_CASE("Every kind of future can be awaited", "[Task]") {
  REQUIRE(value_of(Future<int>(1)).start().get() == 1);
  int evaluated = 0;
  REQUIRE(value_of(Future<int>([&] { return ++evaluated; })).start().get() == 1);
  REQUIRE(value_of(dash::async([] { return 5; })).start().get() == 5);
  Promise<int> promise;
  SharedFuture<int> shared = promise.get_future();
  Future<const int*> where = address(shared).start();
  promise.set_value(3);
  REQUIRE(where.get() == &shared.get());
  REQUIRE(copy_of(Future<int>(4)).start().get() == 4);
  REQUIRE_THROWS_AS(value_of(Future<int>()).start().get(), RuntimeError);
  REQUIRE(*owner(std::make_unique<int>(6)).start().get() == 6);
  REQUIRE(value_of(sum_of(Future<int>(1), Future<int>(2)).start()).start().get() == 3);
}

TEST_CASE("Coroutines of other types can await futures", "[Task]") {
  Promise<int> one;
  SharedFuture<int> two = Promise<int>().get_future();  // its promise is broken
  int sum = 0;
  const auto own = [](Future<int> first, SharedFuture<int> second,
                      int& result) -> DetachedCoroutine {
    result += co_await std::move(first);
    try {
      result += co_await second;
    } catch (const RuntimeError&) {
      result += 10;
    }
  };
  own(one.get_future(), two, sum);
  REQUIRE(sum == 0);
  one.set_value(1);
  dash::exec::Engine::instance().progress();
  REQUIRE(sum == 11);
}

TEST_CASE("Deeply nested tasks complete", "[Task]") {
  constexpr int levels = 1000;
  Promise<int> promise;
  Future<int> future = depth(levels, promise.get_future()).start();
  REQUIRE_FALSE(future.test());
  promise.set_value(5);
  REQUIRE(future.get() == levels + 5);
}

TEST_CASE("A task that is not started does not run, and starting an empty task throws", "[Task]") {
  auto owned = std::make_shared<int>(1);
  {
    const auto task = [](std::shared_ptr<int> p) -> Task<int> { co_return *p; };
    Task<int> dropped = task(owned);
    Task<int> overwritten = task(owned);
    REQUIRE(owned.use_count() >= 3);
    overwritten = std::move(dropped);
    REQUIRE_FALSE(dropped.valid());
    REQUIRE_THROWS_AS(dropped.start(), RuntimeError);
  }
  REQUIRE(owned.use_count() == 1);
  const auto awaits_nothing = []() -> Task<int> { co_return co_await Task<int>(); };
  REQUIRE_THROWS_AS(awaits_nothing().start().get(), RuntimeError);
}

TEST_CASE("A task continues if its future is destroyed", "[Task]") {
  std::vector<std::string> notes;
  Promise<void> promise;
  record_steps(notes, "task", promise.get_future()).start();
  REQUIRE(notes.size() == 1);
  promise.set_value();
  REQUIRE(notes.size() == 1);
  dash::exec::Engine::instance().progress();
  REQUIRE(notes.size() == 2);
}

TEST_CASE("The captures of a task live exactly as long as its future", "[Task]") {
  auto owned = std::make_shared<int>(1);
  {
    const auto task = [](std::shared_ptr<int> p, Future<void> f) -> Task<int> {
      co_await std::move(f);
      co_return *p;
    };
    Promise<void> promise;
    Future<int> future = task(owned, promise.get_future()).start();
    promise.set_value();
    REQUIRE(future.get() == 1);
  }
  REQUIRE(owned.use_count() == 1);
}

TEST_CASE("A coroutine can run in a task of the executor", "[Task]") {
  Promise<int> promise;
  Future<int> future =
      dash::async([f = promise.get_future()]() mutable { return value_of(std::move(f)).start(); });
  promise.set_value(4);
  REQUIRE(future.get() == 4);
}

TEST_CASE("A task that waits for its own future throws", "[Task]") {
  Promise<void> begin;
  SharedFuture<int> own;
  own = waits_for(own, begin.get_future()).start().share();
  begin.set_value();
  SharedFuture<int> keep = own;
  REQUIRE_THROWS_AS(keep.get(), RuntimeError);
}

TEST_CASE("Several threads resume many tasks concurrently", "[Task][stress]") {
  constexpr std::size_t count = 2000;
  constexpr std::size_t nthreads = 4;
  std::vector<Promise<int>> promises(count);
  std::vector<Future<int>> futures;
  for (Promise<int>& promise : promises)
    futures.push_back(sum_of(promise.get_future(), Future<int>(1)).start());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < nthreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < count; i += nthreads) {
        promises[i].set_value(static_cast<int>(i));
        if (i % 7 == 0) dash::exec::Engine::instance().progress();
      }
    });
  }
  long sum = 0;
  for (Future<int>& future : futures)
    sum += future.get();
  for (std::thread& thread : threads)
    thread.join();
  REQUIRE(sum == static_cast<long>(count * (count - 1) / 2 + count));
}
