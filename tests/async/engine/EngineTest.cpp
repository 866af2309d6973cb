// dash-test: serial

#include "dash/async/Engine.h"
#include "dash/async/HostLoad.h"
#include "dash/async/PollSource.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "TestedEngine.h"
#include "dash/Async.h"
#include "dash/Exception.h"
#include "dash/Future.h"
#include "dash/core/Settings.h"
#include "support/Catch.h"

using dash::core::ProgressMode;
using dash::exec::Demand;
using dash::exec::Engine;
using dash::exec::Operation;
using dash::exec::PollSource;
using dash::exec::SharedWord;
using dash::test::CountdownSource;
using dash::test::StartedEngine;
using namespace std::chrono_literals;

namespace {

std::vector<char> random_bytes(std::size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<char> bytes(n);
  for (char& byte : bytes)
    byte = static_cast<char>(engine());
  return bytes;
}

/// Counts the polls of the progress thread.
class CountingSource : public PollSource {
 public:
  bool poll() noexcept override {
    if (dash::exec::on_progress_thread()) ++thread_polls;
    return false;
  }
  std::atomic<int> thread_polls{0};
};

}  // namespace

TEST_CASE("The progress thread completes an operation without a waiting caller", "[Engine]") {
  CountdownSource source;
  const StartedEngine engine(ProgressMode::thread);
  auto future = source.start(100);
  while (!source.polled_by_thread)
    std::this_thread::sleep_for(1ms);
  REQUIRE(future.get() == 17);
}

TEST_CASE("In poll mode, the waiting caller makes progress", "[Engine]") {
  CountdownSource source;
  const StartedEngine engine(ProgressMode::poll);
  REQUIRE_FALSE(Engine::instance().has_thread());
  auto future = source.start(1000);
  REQUIRE(future.get() == 17);
  REQUIRE_FALSE(source.polled_by_thread);
}

TEST_CASE("The fast path of a source is used only if no other source has demand or watches words",
          "[Engine]") {
  class Source final : public dash::exec::FastPollSource {
   public:
    bool poll() noexcept override {
      if (polls_left == 0 || --polls_left != 0) return false;
      promise.set_value(0);
      return true;
    }
    Demand demand() const noexcept override {
      return polls_left == 0 ? Demand::none : Demand::service;
    }
    void on_caller_wait() noexcept override { ++waits; }
    void poll_until(dash::exec::FunctionRef<bool()> done) noexcept override {
      polls_left = 0;
      promise.set_value(done() ? 0 : 17);
    }
    int polls_left = 1000;
    int waits = 0;
    dash::Promise<int> promise;
  };
  class WatchingSource final : public PollSource {
   public:
    bool poll() noexcept override { return false; }
    Demand demand() const noexcept override { return Demand::none; }
    bool has_wait_words() const noexcept override { return watches; }
    bool watches = false;
  };
  const bool is_only_source = GENERATE(true, false);
  const bool has_words = GENERATE(true, false);
  CountdownSource other;
  Source source;
  WatchingSource watching;
  Engine::instance().add_source(source);
  Engine::instance().add_source(watching);
  {
    const StartedEngine engine(ProgressMode::poll, 1'000'000);
    auto future = source.promise.get_future();
    auto others = other.start(is_only_source ? 1 : 100'000);
    if (is_only_source) REQUIRE(others.get() == 17);
    source.waits = 0;
    watching.watches = has_words;
    REQUIRE(future.get() == (is_only_source && !has_words ? 17 : 0));
    REQUIRE(source.waits == 1);
    REQUIRE(others.get() == 17);
  }
  Engine::instance().remove_source(watching);
  Engine::instance().remove_source(source);
}

TEST_CASE(
    "While callers poll, the progress thread sleeps, and small work does not wake it, nor does "
    "large work if units share processors",
    "[Engine]") {
  class Source final : public CountingSource {
   public:
    Demand demand() const noexcept override { return current; }
    bool polled_by_callers() const noexcept override { return true; }
    bool progresses_by_polling() const noexcept override { return true; }
    bool has_wait_words() const noexcept override { return true; }
    bool wakes_progress_thread() const noexcept override { return true; }
    Words wait_words(std::span<dash::core::FutexWord> /*words*/,
                     bool /*by_thread*/) noexcept override {
      ++collections;
      return {0, true, true};
    }
    Words service_words(std::span<dash::core::FutexWord> /*words*/) noexcept override {
      ++collections;
      return {};
    }
    std::atomic<Demand> current{Demand::none};
    std::atomic<int> collections{0};
  };
  Source source;
  source.current = GENERATE(Demand::service, Demand::waiting, Demand::busy);
  Engine::instance().add_source(source);
  {
    const bool share_processors = GENERATE(false, true);
    dash::exec::HostLoad load;
    load.processors = 2;
    load.awake = share_processors ? 8 : 0;  // besides this thread
    Engine::Options options;
    options.mode = ProgressMode::thread;
    options.units_share_processors = share_processors;
    options.host_load = &load;
    options.service_interval_ns = 500'000;
    const StartedEngine engine(options);
    while (source.thread_polls == 0)
      std::this_thread::yield();
    std::this_thread::sleep_for(1ms);  // the thread goes to sleep
    source.thread_polls = 0;
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < 20ms) {
      if (share_processors) {
        Engine::instance().wake_progress_thread();
      } else {
        Engine::instance().notify_soon();
      }
    }
    const int polls = source.thread_polls;
    const auto milliseconds = (std::chrono::steady_clock::now() - begin) / 1ms;
    // A sleep takes a millisecond, and half of that if the thread has just found that this one did not run; four times as
    // long if nine threads share two processors.
    CHECK(polls <= 2 * milliseconds / (share_processors ? 4 : 1) + 3);
    CHECK(source.collections == 0);
  }
  Engine::instance().remove_source(source);
}

TEST_CASE("The progress thread polls all the time only while a worker leaves it a processor",
          "[Engine]") {
  class Source final : public CountingSource {
   public:
    Demand demand() const noexcept override { return Demand::busy; }
  };
  Source source;
  dash::exec::set_executor_workers(2);
  Engine::instance().add_source(source);
  {
    Engine::Options options;
    options.mode = ProgressMode::thread;
    options.num_own_processors = 2;
    options.service_interval_ns = 500'000;
    const StartedEngine engine(options);
    const auto polls_all_the_time = [&] {
      std::this_thread::sleep_for(1ms);  // the last polls in the previous state
      const auto begin = std::chrono::steady_clock::now();
      source.thread_polls = 0;
      std::this_thread::sleep_for(20ms);
      const int polls = source.thread_polls;
      // Otherwise, it sleeps for at least 0.1 ms between two polls.
      return polls > 20 * ((std::chrono::steady_clock::now() - begin) / 1ms);
    };
    // On a machine with other load, it may need several attempts.
    const auto polls_all_the_time_soon = [&] {
      for (int attempt = 0; attempt < 100; ++attempt) {
        if (polls_all_the_time()) return true;
      }
      return false;
    };
    CHECK(polls_all_the_time_soon());

    std::atomic<bool> runs{false};
    std::atomic<bool> stop{false};
    auto job = dash::async([&] {
      runs = true;
      while (!stop)
        std::this_thread::yield();
    });
    while (!runs)
      std::this_thread::sleep_for(1ms);
    CHECK_FALSE(polls_all_the_time());
    stop = true;
    job.get();
    CHECK(polls_all_the_time_soon());  // when the worker has left
  }
  dash::exec::set_executor_workers(1);  // now no worker polls the source
  Engine::instance().remove_source(source);
}

TEST_CASE("A caller that waits for an operation that progresses only by polling keeps polling",
          "[Engine]") {
  class Source final : public PollSource {
   public:
    bool poll() noexcept override {
      if (dash::exec::on_progress_thread() || polls_left == 0 || --polls_left != 0) return false;
      promise.set_value(17);
      return true;
    }
    Demand demand() const noexcept override {
      return polls_left == 0 ? Demand::none : Demand::busy;
    }
    bool has_short_operations() const noexcept override { return false; }
    bool progresses_by_polling() const noexcept override { return true; }
    std::atomic<int> polls_left{500};
    dash::Promise<int> promise;
  };
  Source source;
  Engine::instance().add_source(source);
  {
    const StartedEngine engine(ProgressMode::thread);
    REQUIRE(source.promise.get_future().get() == 17);
  }
  Engine::instance().remove_source(source);
}

TEST_CASE("A caller that sleeps polls for other libraries even if no source has operations",
          "[Engine]") {
  class Source final : public PollSource {
   public:
    bool poll() noexcept override {
      const bool sleeps = std::chrono::steady_clock::now() - begin > 20ms;
      if (sleeps && ++polls == 5) promise.set_value(17);
      return false;
    }
    Demand demand() const noexcept override { return Demand::none; }
    std::uint64_t idle_poll_interval_ns() const noexcept override { return 1'000'000; }
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    int polls = 0;
    dash::Promise<int> promise;
  };
  Source source;
  Engine::instance().add_source(source);
  {
    const StartedEngine engine(GENERATE(ProgressMode::thread, ProgressMode::poll));
    CHECK(source.promise.get_future().get() == 17);
  }
  Engine::instance().remove_source(source);
}

TEST_CASE("Waits that end at once poll sources occasionally", "[Engine]") {
  class Source final : public PollSource {
   public:
    bool poll() noexcept override {
      polls.fetch_add(1);
      return false;
    }
    Demand demand() const noexcept override { return Demand::none; }
    bool thread_may_poll() const noexcept override { return false; }
    std::atomic<int> polls{0};
  };
  Source source;
  Engine::instance().add_source(source);
  {
    const StartedEngine engine(GENERATE(ProgressMode::thread, ProgressMode::poll));
    const int before = source.polls.load();
    for (int i = 0; i < 1000; ++i)
      Engine::instance().wait_until([] { return true; });
    CHECK(source.polls.load() > before);
    CHECK(source.polls.load() < before + 100);
  }
  Engine::instance().remove_source(source);
}

TEST_CASE("The progress thread does not poll a source that only callers may poll", "[Engine]") {
  CountdownSource source(false);
  const StartedEngine engine(ProgressMode::thread);
  auto future = source.start(50);
  REQUIRE(future.get() == 17);
  REQUIRE_FALSE(source.polled_by_thread);
}

TEST_CASE(
    "Without workers, a waiting caller checks the conditions of tasks, not the progress thread",
    "[Engine]") {
  const StartedEngine engine(ProgressMode::thread);
  std::atomic<bool> is_open{false};
  std::atomic<int> checks_by_thread{0};
  dash::Future<void> task = dash::async([&] {
    Engine::instance().wait_until([&] {
      if (dash::exec::on_progress_thread()) ++checks_by_thread;
      return is_open.load();
    });
  });
  std::thread opener([&] {
    std::this_thread::sleep_for(20ms);
    is_open = true;
    Engine::instance().completed();
  });
  task.get();
  opener.join();
  REQUIRE(checks_by_thread == 0);
}

TEST_CASE("A wait on the progress thread throws an exception that explains the alternatives",
          "[Engine]") {
  class WaitingSource final : public PollSource {
   public:
    bool poll() noexcept override {
      if (!armed.exchange(false)) return false;
      try {
        dash::Promise<int>().get_future().wait();
      } catch (const dash::exception::RuntimeError&) {
        // The future of the destroyed promise has failed, so the wait returns.
      }
      dash::Promise<int> pending;
      try {
        pending.get_future().wait();
      } catch (const dash::exception::RuntimeError& error) {
        rejected.set_value(error.what());
      }
      return true;
    }
    Demand demand() const noexcept override { return armed ? Demand::busy : Demand::none; }

    std::atomic<bool> armed{false};
    dash::Promise<std::string> rejected;
  };
  WaitingSource source;
  Engine::instance().add_source(source);
  {
    const StartedEngine engine(ProgressMode::thread);
    auto text = source.rejected.get_future();
    source.armed = true;
    Engine::instance().notify();
    while (source.armed)
      std::this_thread::sleep_for(1ms);
    REQUIRE(text.get().find("progress thread") != std::string::npos);
  }
  Engine::instance().remove_source(source);
}

TEST_CASE("Copies of all sizes are complete, in each mode", "[Engine][CopyQueue]") {
  const auto mode = GENERATE(ProgressMode::thread, ProgressMode::poll);
  const StartedEngine engine(mode);
  for (const std::size_t n : {std::size_t{1}, std::size_t{4095}, std::size_t{128 * 1024},
                              std::size_t{128 * 1024 + 1}, std::size_t{5'000'000}}) {
    const std::vector<char> source = random_bytes(n, static_cast<unsigned>(n));
    std::vector<char> target(n);
    Operation copy = Engine::instance().copy_async(target.data(), source.data(), n);
    copy.wait();
    REQUIRE(copy.done());
    REQUIRE(target == source);
  }
}

TEST_CASE("Several threads start many copies concurrently", "[Engine][CopyQueue][stress]") {
  const StartedEngine engine(ProgressMode::thread);
  constexpr int threads = 3;
  constexpr int copies_per_thread = 40;
  std::vector<std::thread> submitters;
  std::atomic<int> wrong{0};
  for (int t = 0; t < threads; ++t) {
    submitters.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      std::vector<std::vector<char>> sources;
      std::vector<std::vector<char>> targets;
      std::vector<Operation> copies;
      for (int i = 0; i < copies_per_thread; ++i) {
        const std::size_t n = 1 + random() % 600'000;
        sources.push_back(random_bytes(n, static_cast<unsigned>(i)));
        targets.emplace_back(n);
      }
      for (std::size_t i = 0; i < sources.size(); ++i) {
        copies.push_back(
            Engine::instance().copy_async(targets[i].data(), sources[i].data(), sources[i].size()));
      }
      dash::exec::when_all(copies).wait();
      if (targets != sources) ++wrong;
    });
  }
  for (std::thread& submitter : submitters)
    submitter.join();
  REQUIRE(wrong == 0);
}

TEST_CASE("Threads that wait on a shared word miss no change", "[Engine][stress]") {
  const bool caller_yields = GENERATE(false, true);
  const StartedEngine engine(ProgressMode::poll, 0, caller_yields);
  // Two threads exchange a serial number, sleeping each time or sometimes.
  SharedWord ping;
  SharedWord pong;
  constexpr std::uint32_t rounds = 5000;
  std::thread peer([&] {
    for (std::uint32_t i = 1; i <= rounds; ++i) {
      Engine::instance().wait_shared(ping, [i](std::uint32_t value) { return value == i; });
      pong.publish(i);
    }
  });
  for (std::uint32_t i = 1; i <= rounds; ++i) {
    ping.publish(i);
    Engine::instance().wait_shared(pong, [i](std::uint32_t value) { return value == i; });
  }
  peer.join();
  REQUIRE(pong.value.load() == rounds);
}

TEST_CASE("A caller that yields goes to sleep if the wait is long", "[Engine]") {
  const StartedEngine engine(ProgressMode::poll, 0, true);
  SharedWord word;
  std::thread late([&] {
    while (word.sleepers.load() == 0)
      std::this_thread::yield();
    word.publish(1);
  });
  Engine::instance().wait_shared(word, [](std::uint32_t value) { return value == 1; });
  late.join();
  REQUIRE(word.sleepers.load() == 0);
}

TEST_CASE("A caller that yields and polls returns on completion, or sleeps until the deadline",
          "[Engine]") {
  const StartedEngine engine(GENERATE(ProgressMode::thread, ProgressMode::poll), 0, true);
  dash::Promise<int> promise;
  auto future = promise.get_future();
  const auto length = GENERATE(0us, 100us, 20'000us);
  const auto from = std::chrono::steady_clock::now();
  REQUIRE_FALSE(future.wait_for(length));
  REQUIRE(std::chrono::steady_clock::now() - from >= length);
  std::thread setter([&] {
    std::this_thread::sleep_for(length);
    promise.set_value(1);
  });
  REQUIRE(future.get() == 1);
  setter.join();
}

TEST_CASE("Continuations run while their unit waits for another unit", "[Engine]") {
  const StartedEngine engine(ProgressMode::thread, 0, GENERATE(false, true));
  SharedWord word;
  dash::Promise<int> promise;
  // Only the continuation changes the word.
  auto continuation = promise.get_future().then([&](int) { word.publish(1); });
  std::thread setter([&] {
    std::this_thread::sleep_for(20ms);
    promise.set_value(1);
  });
  Engine::instance().wait_shared(word, [](std::uint32_t value) { return value == 1; });
  setter.join();
  REQUIRE(continuation.test());
}

TEST_CASE("The engine can be started and stopped repeatedly", "[Engine]") {
  std::vector<char> source(300'000, 'x');
  for (int i = 0; i < 50; ++i) {
    const StartedEngine engine(i % 2 == 0 ? ProgressMode::thread : ProgressMode::poll, 10'000);
    std::vector<char> target(source.size());
    Engine::instance().copy_async(target.data(), source.data(), source.size()).wait();
    REQUIRE(target == source);
  }
}
