#pragma once

#include <atomic>
#include <functional>
#include <utility>

#include "dash/Exception.h"
#include "dash/async/Engine.h"
#include "dash/async/Executor.h"
#include "dash/async/ValueState.h"

namespace dash::exec {

/// A computation that runs when somebody asks for its value: what DASH's Future made of a get, a
/// test and a destroy function stands for. Nothing runs in the background because of it.
template <class T>
class DeferredState final : public ValueState<T> {
 public:
  using Get = std::function<T()>;
  using Test = std::conditional_t<std::is_void_v<T>, std::function<bool()>,
                                  std::function<bool(stored_value_t<T>*)>>;
  using Destroy = std::function<void()>;

  DeferredState(Get get, Test test, Destroy destroy)
      : _get(std::move(get)), _test(std::move(test)), _destroy(std::move(destroy)) {}

  bool needs_waiter() const noexcept override { return true; }

  /// \throws exception::RuntimeError within the computation itself
  void wait() override {
    while (!this->done()) {
      if (begin()) {
        if (!this->done()) evaluate();
        return end();
      }
      if (_evaluating.load(std::memory_order_relaxed) == running()) {
        throw exception::RuntimeError(
            "the computation of a deferred future waits for that future, which can never end");
      }
      Engine::instance().wait_until([this] {
        return this->done() || _evaluating.load(std::memory_order_acquire) == nullptr;
      });
    }
  }

  /// Without a test function this runs the computation, as DASH does.
  bool test() override {
    if (this->done()) return true;
    if (!begin()) return false;  // somebody is at it
    if (!this->done()) test_or_evaluate();
    end();
    return this->done();
  }

 private:
  ~DeferredState() override {
    if (_destroy) _destroy();
  }

  void test_or_evaluate() noexcept {
    if (!_test) return evaluate();
    try {
      if constexpr (std::is_void_v<T>) {
        if (_test()) this->set_value();
      } else {
        T value{};
        if (_test(&value)) this->set_value(std::move(value));
      }
    } catch (...) {
      this->fail(std::current_exception());
    }
  }

  void evaluate() noexcept {
    try {
      if constexpr (std::is_void_v<T>) {
        _get();
        this->set_value();
      } else {
        this->set_value(_get());
      }
    } catch (...) {
      this->fail(std::current_exception());
    }
  }

  bool begin() noexcept {
    const void* nobody = nullptr;
    return _evaluating.compare_exchange_strong(nobody, running(), std::memory_order_acquire);
  }
  void end() noexcept {
    _evaluating.store(nullptr, std::memory_order_release);
    Engine::instance().completed();
  }

  // Who runs the user's functions: one at a time. No mutex, since they may wait, and a task that
  // waits does not hold its thread.
  std::atomic<const void*> _evaluating{nullptr};
  Get _get;
  Test _test;
  Destroy _destroy;
};

}  // namespace dash::exec
