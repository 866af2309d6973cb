// dash-test: serial

// Callers that sleep without a timeout and are needed again, because no thread that polls learns of the new work.

#include <atomic>
#include <chrono>
#include <thread>

#include "dash/Async.h"
#include "dash/Future.h"
#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/async/PollSource.h"
#include "dash/async/SharedWord.h"
#include "support/Catch.h"

using dash::core::ProgressMode;
using dash::exec::Engine;
using namespace std::chrono_literals;

namespace {

class StartedEngine {
 public:
  explicit StartedEngine(ProgressMode mode, int workers = 1) {
    Engine::Options options;
    options.mode = mode;
    Engine::instance().start(options);
    dash::exec::set_executor_workers(workers);
  }
  ~StartedEngine() {
    dash::exec::set_executor_workers(1);
    Engine::instance().stop();
  }
  StartedEngine(const StartedEngine&) = delete;
  StartedEngine& operator=(const StartedEngine&) = delete;
};

/// Calls a function in the first poll after start().
template <class F>
class Source final : public dash::exec::PollSource {
 public:
  explicit Source(F f) : _f(f) { Engine::instance().add_source(*this); }
  ~Source() override { Engine::instance().remove_source(*this); }

  void start() {
    _started = true;
    Engine::instance().notify();
  }
  bool poll() noexcept override {
    if (!_started.exchange(false)) return false;
    _f();
    return true;
  }
  dash::exec::Demand demand() const noexcept override {
    return _started ? dash::exec::Demand::waiting : dash::exec::Demand::none;
  }

 private:
  F _f;
  std::atomic<bool> _started{false};
};

/// Time in which a thread that waits goes to sleep.
void let_others_sleep() {
  std::this_thread::sleep_for(50ms);
}

}  // namespace

TEST_CASE("Without a progress thread, the notification of new work wakes a caller", "[Engine]") {
  dash::Promise<int> promise;
  Source source([&promise] { promise.set_value(17); });
  const StartedEngine engine(ProgressMode::poll);
  int value = 0;
  std::thread caller([&] { value = promise.get_future().get(); });
  let_others_sleep();
  source.start();
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
  const StartedEngine engine(ProgressMode::thread, 2);
  std::atomic<bool> computes = false;
  std::atomic<bool> ends = false;
  auto computation = dash::async([&] {
    computes = true;
    while (!ends)
      std::this_thread::yield();
  });
  while (!computes)
    std::this_thread::yield();
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
