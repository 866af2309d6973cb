#pragma once

#include <functional>
#include <mutex>
#include <utility>

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

  void wait() override {
    std::lock_guard lock(_mutex);
    if (!this->done()) evaluate();
  }

  /// Without a test function this runs the computation, as DASH does.
  bool test() override {
    std::lock_guard lock(_mutex);
    if (this->done()) return true;
    if (!_test) {
      evaluate();
      return true;
    }
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
    return this->done();
  }

 private:
  ~DeferredState() override {
    if (_destroy) _destroy();
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

  // Serialises evaluation; held while the user's functions run, which concerns this future alone.
  std::mutex _mutex;
  Get _get;
  Test _test;
  Destroy _destroy;
};

}  // namespace dash::exec
