// dash-test: serial

#include <atomic>
#include <utility>
#include <vector>

#include "dash/Async.h"
#include "dash/Exception.h"
#include "dash/Future.h"
#include "support/Catch.h"

TEST_CASE("Continuations that wait or test do not nest without limit", "[then]") {
#ifdef __SANITIZE_THREAD__
  constexpr int functions = 300;  // ThreadSanitizer allocates megabytes for each suspended task
#else
  constexpr int functions = 5000;
#endif
  const bool waits = GENERATE(true, false);
  std::atomic<int> inside{0};
  dash::Promise<int> promise;
  dash::SharedFuture<int> shared = promise.get_future().share();
  std::vector<dash::Future<int>> results;
  for (int i = 0; i < functions; ++i) {
    results.push_back(shared.then([&, i](const int& x) {
      ++inside;
      const dash::Future<int> other = dash::async([=] { return x + i; });
      if (waits) {
        other.wait();
      } else {
        while (!other.test()) {
        }
      }
      --inside;
      return x + i;
    }));
  }
  promise.set_value(7);
  for (int i = 0; i < functions; ++i)
    CHECK(results[static_cast<std::size_t>(i)].get() == 7 + i);
  CHECK(inside == 0);
}

TEST_CASE("A cancelled chain of any length is destroyed", "[then]") {
  dash::Promise<int> promise;
  {
    dash::Future<int> future = promise.get_future();
    for (int i = 0; i < 300'000; ++i)
      future = future.then([](int x) { return x + 1; });
    CHECK(future.cancel());
    CHECK_THROWS_AS(future.get(), dash::exception::Cancelled);
  }
  promise.set_value(1);
}

TEST_CASE("Self-move of a promise has no effect", "[Promise]") {
  dash::Promise<int> promise;
  dash::Promise<int>& same = promise;
  promise = std::move(same);
  dash::Future<int> future = promise.get_future();
  promise.set_value(5);
  CHECK(future.get() == 5);
}
