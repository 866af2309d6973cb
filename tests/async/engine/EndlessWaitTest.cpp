// dash-test: serial

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

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

TEST_CASE("A wait that can never end throws", "[then]") {
  SECTION("in the function that computes the future") {
    Promise<int> promise;
    Future<int>* self = nullptr;
    Future<int> future = promise.get_future().then([&](int) {
      self->wait();
      return 1;
    });
    self = &future;
    promise.set_value(1);
    REQUIRE_THROWS_AS(future.get(), RuntimeError);
  }
  SECTION("in a function on which the future depends") {
    Promise<int> promise;
    SharedFuture<int> last;
    Future<int> future = promise.get_future().then([&](int x) {
      REQUIRE_THROWS_AS(last.wait(), RuntimeError);
      REQUIRE_FALSE(last.wait_for(1ms));
      return x;
    });
    Promise<int> other;
    last = dash::when_all(future.then([](int x) { return x; }), other.get_future())
               .then([](auto) { return Future<int>(1); })
               .share();
    promise.set_value(1);
    other.set_value(1);
    REQUIRE(last.get() == 1);
  }
  SECTION("in a lazy computation") {
    SharedFuture<int> self;
    self = Future<int>([&]() -> int { return self.get(); }).share();
    SharedFuture<int> keep = self;
    REQUIRE_THROWS_AS(keep.get(), RuntimeError);
    self = {};
  }
  SECTION("in a task") {
    Promise<SharedFuture<int>> own;
    SharedFuture<int> task =
        dash::async([own = own.get_future()]() mutable { return own.get().get(); });
    own.set_value(task);
    REQUIRE_THROWS_AS(task.get(), RuntimeError);
  }
  SECTION("but a wait for an independent future does not") {
    Promise<int> promise;
    Promise<int> other;
    Future<int> future = promise.get_future().then(
        [needs = other.get_future()](int x) mutable { return x + needs.get(); });
    std::thread setter([&] {
      std::this_thread::sleep_for(2ms);
      other.set_value(2);
    });
    promise.set_value(1);
    REQUIRE(future.get() == 3);
    setter.join();
  }
}
