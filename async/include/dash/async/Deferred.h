#pragma once

#include <functional>
#include <utility>

#include "dash/async/Lazy.h"
#include "dash/async/ValueState.h"

namespace dash::exec {

/// A lazy state with a value.
template <class T>
class LazyState : public ValueState<T>, public Lazy {
 public:
  Lazy* lazy() noexcept final { return this; }

 protected:
  bool cancel_this() noexcept override {
    if (!this->claim()) return false;
    this->fail_cancelled();
    return true;
  }
};

/// A computation that runs when a thread waits for its value: implements the constructor of DASH's Future
/// that takes a get, a test and a destroy function. Nothing runs in the background.
template <class T>
class DeferredState final : public LazyState<T> {
 public:
  using Get = std::function<T()>;
  using Test = std::conditional_t<std::is_void_v<T>, std::function<bool()>,
                                  std::function<bool(stored_value_t<T>*)>>;
  using Destroy = std::function<void()>;

  DeferredState(Get get, Test test, Destroy destroy)
      : _get(std::move(get)), _test(std::move(test)), _destroy(std::move(destroy)) {}

 private:
  ~DeferredState() override {
    if (_destroy) _destroy();
  }

  void compute() noexcept override {
    this->set_result_of(_get, [] {});
  }

  /// Without a test function this runs the computation, as DASH does.
  bool try_compute() noexcept override {
    if (!_test) {
      compute();
      return true;
    }
    try {
      const ComputationScope scope(*this);
      if constexpr (std::is_void_v<T>) {
        if (!_test()) return false;
        this->_value.emplace();
      } else {
        T value{};
        if (!_test(&value)) return false;
        this->_value.emplace(std::move(value));
      }
    } catch (...) {
      this->fail(std::current_exception());
      return true;
    }
    this->complete();
    return true;
  }

  Get _get;
  Test _test;
  Destroy _destroy;
};

}  // namespace dash::exec
