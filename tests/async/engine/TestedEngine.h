#pragma once

#include <atomic>
#include <cstdint>

#include "dash/Future.h"
#include "dash/async/Engine.h"
#include "dash/async/PollSource.h"
#include "dash/core/Settings.h"

namespace dash::test {

/// Starts the engine for the duration of a test case.
class StartedEngine {
 public:
  explicit StartedEngine(core::ProgressMode mode, std::uint64_t spin_ns = 0,
                         bool caller_yields = false) {
    exec::Engine::Options options;
    options.mode = mode;
    options.caller_yields = caller_yields;
    options.caller_spin_ns = spin_ns;
    options.thread_spin_ns = spin_ns;
    options.service_interval_ns = 500'000;
    exec::Engine::instance().start(options);
  }
  explicit StartedEngine(const exec::Engine::Options& options) {
    exec::Engine::instance().start(options);
  }
  ~StartedEngine() { exec::Engine::instance().stop(); }
  StartedEngine(const StartedEngine&) = delete;
  StartedEngine& operator=(const StartedEngine&) = delete;
};

/// Fulfils a promise after a number of polls.
class CountdownSource final : public exec::PollSource {
 public:
  explicit CountdownSource(bool thread_may_poll = true) : _thread_may_poll(thread_may_poll) {
    exec::Engine::instance().add_source(*this);
  }
  ~CountdownSource() override { exec::Engine::instance().remove_source(*this); }

  Future<int> start(int polls) {
    auto future = _promise.get_future();
    _left.store(polls);
    exec::Engine::instance().notify();
    return future;
  }

  bool poll() noexcept override {
    int left = _left.load();
    do {
      if (left <= 0) return false;
    } while (!_left.compare_exchange_weak(left, left - 1));
    if (left == 1) {
      polled_by_thread = exec::on_progress_thread();
      _promise.set_value(17);
      return true;
    }
    return false;
  }
  exec::Demand demand() const noexcept override {
    return _left.load() > 0 ? exec::Demand::busy : exec::Demand::none;
  }
  bool thread_may_poll() const noexcept override { return _thread_may_poll; }

  std::atomic<bool> polled_by_thread{false};

 private:
  bool _thread_may_poll;
  Promise<int> _promise;
  std::atomic<int> _left{0};
};

}  // namespace dash::test
