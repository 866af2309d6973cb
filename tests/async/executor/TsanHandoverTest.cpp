// dash-test: serial

// Races between the two ends of a future: completion against attaching, waiting, cancelling and destroying, on
// several threads, with random delays, in each progress mode.

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "async/engine/TestedEngine.h"
#include "dash/Async.h"
#include "dash/Future.h"
#include "dash/Task.h"
#include "dash/async/Engine.h"
#include "dash/core/Settings.h"
#include "dash/core/Spin.h"
#include "support/Catch.h"
#include "support/Runner.h"
#include "support/Workers.h"

using dash::Future;
using dash::Promise;
using dash::SharedFuture;
using dash::Task;
using dash::core::ProgressMode;
using dash::exception::Cancelled;
using dash::exec::Engine;
using namespace std::chrono_literals;

namespace {

constexpr int rounds = 150;

/// Starts the engine and a second worker for the duration of a test case. Some waits spin for the short time, others
/// sleep.
struct EngineWithWorker {
  explicit EngineWithWorker(ProgressMode mode) : engine(mode, 2000) {}
  ~EngineWithWorker() { dash::exec::finish_jobs(); }
  EngineWithWorker(const EngineWithWorker&) = delete;
  EngineWithWorker& operator=(const EngineWithWorker&) = delete;

  dash::test::StartedEngine engine;
  Workers workers{2};
};

using Random = std::minstd_rand;

/// At random: no delay, a short spin, a yield or a sleep.
void delay(Random& random) {
  switch (random() % 8) {
    case 0:
    case 1:
    case 2:
      for (auto n = random() % 200; n > 0; --n)
        dash::core::cpu_relax();
      break;
    case 3:
      std::this_thread::yield();
      break;
    case 4:
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 50));
      break;
    default:
      break;
  }
}

/// Runs each action on a separate thread, after a random delay.
void run_concurrently(Random& random, std::vector<std::function<void(Random&)>> actions) {
  std::atomic<std::size_t> not_started{actions.size()};
  std::vector<std::thread> threads;
  for (const auto& action : actions) {
    threads.emplace_back([&, seed = random()] {
      Random own(seed);
      not_started.fetch_sub(1);
      while (not_started.load() != 0)
        std::this_thread::yield();
      delay(own);
      action(own);
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

/// Makes progress until the condition is true; another thread may make it true. The test runner reports a timeout.
template <class Condition>
void progress_until(const Condition& condition) {
  while (!condition()) {
    if (!Engine::instance().progress()) std::this_thread::yield();
  }
}

/// Calls `round` repeatedly in each mode, and checks that all copies of its token are destroyed.
void in_each_mode(const std::function<void(Random&, const std::shared_ptr<int>&)>& round) {
  const ProgressMode mode =
      GENERATE(ProgressMode::automatic, ProgressMode::thread, ProgressMode::poll);
  INFO("seed " << dash::test::seed() << ", mode " << static_cast<int>(mode));
  const EngineWithWorker engine(mode);
  Random random(dash::test::seed());
  for (int i = 0; i < rounds; ++i) {
    const auto token = std::make_shared<int>(i);
    round(random, token);
    progress_until([&] { return token.use_count() == 1; });
  }
}

Task<int> plus_one(Future<int> future, std::shared_ptr<int> token) {
  const int value = co_await std::move(future);
  static_cast<void>(token);
  co_return value + 1;
}

}  // namespace

TEST_CASE("Continuations attached, waited for or destroyed while the promise is fulfilled run once",
          "[TsanHandover][stress]") {
  in_each_mode([](Random& random, const std::shared_ptr<int>& token) {
    Promise<int> promise;
    const SharedFuture<int> shared = promise.get_future();
    std::atomic<int> runs{0};
    const auto chain = [&, token](const SharedFuture<int>& from, Random& own) {
      Future<int> first = from.then([&runs, token](int x) {
        ++runs;
        return x + 1;
      });
      delay(own);
      return first.then([&runs, token](int x) {
        ++runs;
        return x + 1;
      });
    };
    std::array<int, 2> got{};
    const auto wait = [&](int& result) {
      return [&, copy = shared](Random& own) {
        Future<int> last = chain(copy, own);
        delay(own);
        result = last.get();
      };
    };
    const auto drop = [&, copy = shared](Random& own) { chain(copy, own); };
    run_concurrently(random, {[&](Random& own) {
                                promise.set_value(1);
                                delay(own);
                                promise = {};
                              },
                              wait(got[0]), wait(got[1]), drop});
    REQUIRE(got[0] == 3);
    REQUIRE(got[1] == 3);
    progress_until([&] { return runs >= 6; });
    REQUIRE(runs == 6);
  });
}

TEST_CASE(
    "Cancelling while the promise is fulfilled prevents a continuation completely or not at all",
    "[TsanHandover][stress]") {
  in_each_mode([](Random& random, const std::shared_ptr<int>& token) {
    Promise<int> promise;
    std::atomic<int> first_runs{0};
    std::atomic<int> last_runs{0};
    SharedFuture<int> after;
    Future<int> last = promise.get_future()
                           .then([&first_runs, token](int x) {
                             ++first_runs;
                             return x + 1;
                           })
                           .then([&last_runs, token](int x) {
                             ++last_runs;
                             return x + 1;
                           });
    bool cancelled = false;
    run_concurrently(random, {[&](Random& own) {
                                promise.set_value(1);
                                delay(own);
                                Engine::instance().progress();
                              },
                              [&](Random& own) {
                                cancelled = last.cancel();
                                delay(own);
                                after = last.then([](Future<int> f) { return f.get(); }).share();
                              },
                              [&](Random& own) {
                                delay(own);
                                Engine::instance().progress();
                              }});
    if (cancelled) {
      REQUIRE_THROWS_AS(after.get(), Cancelled);
    } else {
      REQUIRE(after.get() == 3);
    }
    last = {};
    progress_until([&] { return token.use_count() == 1; });
    REQUIRE(last_runs == (cancelled ? 0 : 1));
    REQUIRE((cancelled || first_runs == 1));
  });
}

TEST_CASE("when_any returns a ready future, and the others may outlive it",
          "[TsanHandover][stress]") {
  in_each_mode([](Random& random, const std::shared_ptr<int>& token) {
    constexpr std::size_t count = 3;
    std::array<Promise<int>, count> promises;
    std::vector<Future<int>> futures;
    for (Promise<int>& promise : promises)
      futures.push_back(promise.get_future().then([token](int x) { return x; }));
    const bool drops = random() % 2 == 0;
    int won = -1;
    std::vector<std::function<void(Random&)>> actions{[&](Random& own) {
      auto any = dash::when_any(std::move(futures));
      delay(own);
      if (drops) return;
      auto [index, all] = any.get();
      if (!all[index].test() || all[index].get() != static_cast<int>(index)) return;
      won = static_cast<int>(index);
    }};
    for (std::size_t i = 0; i < count; ++i) {
      actions.emplace_back([&, i](Random& own) {
        promises[i].set_value(static_cast<int>(i));
        delay(own);
        Engine::instance().progress();
      });
    }
    run_concurrently(random, actions);
    REQUIRE((drops || won >= 0));
  });
}

TEST_CASE("when_all created, waited for or destroyed while its futures become ready",
          "[TsanHandover][stress]") {
  in_each_mode([](Random& random, const std::shared_ptr<int>& token) {
    constexpr int count = 6;
    std::array<Promise<int>, count> promises;
    std::vector<Future<int>> futures;
    for (Promise<int>& promise : promises)
      futures.push_back(promise.get_future());
    std::atomic<int> runs{0};
    int sum = -1;
    const bool drops = random() % 2 == 0;
    run_concurrently(random, {[&](Random& own) {
                                Future<int> all =
                                    dash::when_all(std::move(futures))
                                        .then([&runs, token](std::vector<Future<int>> ready) {
                                          ++runs;
                                          int total = 0;
                                          for (Future<int>& each : ready)
                                            total += each.get();
                                          return total;
                                        });
                                delay(own);
                                if (drops) return;
                                while (!all.wait_for(std::chrono::microseconds(own() % 40)))
                                  delay(own);
                                sum = all.get();
                              },
                              [&](Random& own) {
                                for (int i = 0; i < count; i += 2) {
                                  promises[static_cast<std::size_t>(i)].set_value(i);
                                  delay(own);
                                }
                              },
                              [&](Random& own) {
                                for (int i = 1; i < count; i += 2) {
                                  promises[static_cast<std::size_t>(i)].set_value(i);
                                  delay(own);
                                }
                              }});
    progress_until([&] { return runs >= 1; });
    REQUIRE(runs == 1);
    REQUIRE((drops || sum == 15));
  });
}

TEST_CASE("Futures returned by functions are unwrapped while they become ready or are cancelled",
          "[TsanHandover][stress]") {
  in_each_mode([](Random& random, const std::shared_ptr<int>& token) {
    Promise<int> outer;
    Promise<int> inner;
    Future<int> future = outer.get_future()
                             .then([returned = inner.get_future(), token](int) mutable {
                               return std::move(returned);
                             })
                             .then([token](int x) { return x + 1; });
    bool cancelled = false;
    int result = 0;
    run_concurrently(random,
                     {[&](Random&) { outer.set_value(1); }, [&](Random&) { inner.set_value(2); },
                      [&](Random& own) {
                        delay(own);
                        cancelled = own() % 2 == 0 && future.cancel();
                        try {
                          result = future.get();
                        } catch (const Cancelled&) {
                          result = -1;
                        }
                      }});
    REQUIRE(result == (cancelled ? -1 : 3));
    future = {};
  });
}

TEST_CASE("A lazy future tested, waited for and destroyed by several threads is computed once",
          "[TsanHandover][stress]") {
  in_each_mode([](Random& random, const std::shared_ptr<int>& token) {
    std::atomic<int> runs{0};
    SharedFuture<int> shared = Future<int>([&runs, token] {
                                 return ++runs;
                               }).then([token](int x) {
                                   return x + 10;
                                 }).share();
    std::array<int, 2> got{};
    run_concurrently(random, {[&, copy = shared](Random&) { got[0] = copy.get(); },
                              [&, copy = shared](Random& own) {
                                while (!copy.test())
                                  delay(own);
                                got[1] = copy.get();
                              },
                              [copy = shared](Random& own) mutable {
                                static_cast<void>(copy.wait_for(1us));
                                delay(own);
                                copy = {};
                              }});
    REQUIRE(got[0] == 11);
    REQUIRE(got[1] == 11);
    shared = {};
  });
}

TEST_CASE("Coroutines are resumed once while the awaited future becomes ready",
          "[TsanHandover][stress]") {
  in_each_mode([](Random& random, const std::shared_ptr<int>& token) {
    Promise<int> promise;
    Future<int> first = promise.get_future();
    std::atomic<int> runs{0};
    int result = 0;
    run_concurrently(
        random,
        {[&](Random& own) {
           promise.set_value(1);
           delay(own);
           Engine::instance().progress();
         },
         [&](Random& own) {
           Future<int> last =
               plus_one(plus_one(std::move(first), token).start(), token).start().then([&](int x) {
                 ++runs;
                 return x;
               });
           delay(own);
           if (own() % 2 == 0) result = last.get();
         }});
    progress_until([&] { return runs >= 1; });
    REQUIRE(runs == 1);
    REQUIRE((result == 0 || result == 3));
  });
}

TEST_CASE("Tasks cancelled, destroyed or waited for while workers start them",
          "[TsanHandover][stress]") {
  in_each_mode([](Random& random, const std::shared_ptr<int>& token) {
    constexpr int count = 3;
    std::array<std::atomic<int>, count> runs{};
    std::array<bool, count> cancelled{};
    Promise<int> promise;
    SharedFuture<int> shared = promise.get_future();
    std::vector<std::function<void(Random&)>> actions;
    for (std::size_t i = 0; i < count; ++i) {
      actions.emplace_back([&, i](Random& own) {
        Future<int> task = dash::async([&runs, i, token, shared] {
          ++runs[i];
          return shared.get();
        });
        Future<int> next = task.then([token](int x) { return x; });
        delay(own);
        if (i == 0) cancelled[i] = next.cancel();
        if (i == 1) next.wait();
      });
    }
    actions.emplace_back([&](Random&) { promise.set_value(1); });
    run_concurrently(random, actions);
    shared = {};
    progress_until([&] { return token.use_count() == 1; });
    REQUIRE(runs[1] == 1);
    REQUIRE(runs[2] == 1);
    REQUIRE((cancelled[0] || runs[0] == 1));
  });
}
