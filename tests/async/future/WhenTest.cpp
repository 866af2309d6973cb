// dash-test: serial

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "CountAllocations.h"
#include "dash/Future.h"
#include "support/Catch.h"

using dash::Future;
using dash::Promise;
using dash::SharedFuture;
using dash::exception::RuntimeError;
using namespace std::chrono_literals;

TEST_CASE("when_any returns the index of the first ready future and all futures", "[when_any]") {
  std::array<Promise<int>, 3> promises;
  std::vector<Future<int>> futures;
  for (Promise<int>& promise : promises)
    futures.push_back(promise.get_future());
  auto any = dash::when_any(std::move(futures));
  REQUIRE_FALSE(any.test());
  promises[1].set_exception(std::make_exception_ptr(std::out_of_range("x")));
  promises[2].set_value(3);
  auto [index, all] = any.get();
  REQUIRE(index == 1);
  REQUIRE_THROWS_AS(all[1].get(), std::out_of_range);
  REQUIRE(all[2].get() == 3);
  REQUIRE_FALSE(all[0].test());
  promises[0].set_value(4);
  REQUIRE(all[0].get() == 4);
}

TEST_CASE("when_any of ready, lazy, shared, different and no futures", "[when_any]") {
  REQUIRE(dash::when_any(std::vector<Future<int>>()).get().index == static_cast<std::size_t>(-1));
  Promise<std::string> pending;
  auto different = dash::when_any(pending.get_future(), Future<int>(3)).get();
  REQUIRE(different.index == 1);
  REQUIRE(std::get<1>(different.futures).get() == 3);
  int evaluated = 0;
  std::vector<Future<int>> lazies;
  lazies.emplace_back([&] { return ++evaluated; });
  lazies.emplace_back([&] { return ++evaluated; });
  auto lazy = dash::when_any(std::move(lazies));
  REQUIRE(evaluated == 0);
  REQUIRE(lazy.get().index == 0);
  REQUIRE(evaluated == 1);
  Promise<int> pending_promise;
  std::vector<SharedFuture<int>> shared{pending_promise.get_future(), Promise<int>().get_future()};
  REQUIRE(dash::when_any(shared).get().index == 1);  // its promise is broken
  REQUIRE_THROWS_AS(dash::when_any(std::vector<Future<int>>(1)), RuntimeError);
  // A lazy future that is never ready, and one that becomes ready during the wait.
  Promise<int> soon;
  auto mixed =
      dash::when_any(Future<int>([] { return 0; }, [](int*) { return false; }), soon.get_future());
  std::thread setter([&] {
    std::this_thread::sleep_for(5ms);
    soon.set_value(1);
  });
  REQUIRE(mixed.get().index == 1);
  setter.join();
}

TEST_CASE("when_all of 100,000 pending futures makes few allocations", "[when_all]") {
  constexpr std::size_t count = 100'000;
  std::vector<Promise<int>> promises(count);
  std::vector<Future<int>> futures;
  futures.reserve(count);
  for (Promise<int>& promise : promises)
    futures.push_back(promise.get_future());
  const std::size_t before = allocations;
  auto all = dash::when_all(std::move(futures));
  for (std::size_t i = 0; i < count; ++i)
    promises[i].set_value(static_cast<int>(i));
  std::vector<Future<int>> ready = all.get();
  const std::size_t after = allocations;
  REQUIRE(after - before <= 4);
  REQUIRE(ready[count - 1].get() == static_cast<int>(count - 1));
}

TEST_CASE("when_all of shared futures leaves them usable", "[when_all]") {
  Promise<int> promise;
  SharedFuture<int> shared = promise.get_future();
  auto all = dash::when_all(std::vector<SharedFuture<int>>{shared, shared});
  REQUIRE_FALSE(all.test());
  promise.set_value(2);
  REQUIRE(all.get()[1].get() + shared.get() == 4);
}
