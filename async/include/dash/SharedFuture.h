#pragma once

#include <chrono>
#include <type_traits>
#include <utility>

#include "dash/Future.h"
#include "dash/async/Then.h"

namespace dash {

namespace exec {

/// A value that is known in advance and becomes ready when an operation completes.
template <class T>
class PresetState final : public ValueState<T>, public Continuation {
 public:
  explicit PresetState(stored_value_t<T> value) : Continuation(Where::inline_) {
    this->_value.emplace(std::move(value));
  }
  /// Completes with the operation; releases the initial reference then. \pre called once
  void follow(State& operation) noexcept {
    _operation = &operation;
    if (!operation.attach(*this)) run();
  }
  void run() noexcept override {
    if (_operation->failed()) {
      this->fail(_operation->error());
    } else {
      this->complete();
    }
    this->release();
  }
  State* dependent() noexcept override { return this; }

 private:
  State* _operation = nullptr;  // alive, since it runs this continuation
};

}  // namespace exec

/// A copyable future: all copies share one value. In a coroutine (see Task), `co_await` waits for it.
/// \tparam T  type of the value, or void
/// \threads externally synchronized per object; copies are independent
/// \ingroup futures
template <class T>
class SharedFuture {
 public:
  using value_type = T;
  /// Return type of get(): a reference to the value, valid as long as any copy exists.
  using reference =
      std::conditional_t<std::is_void_v<T>, void, std::add_lvalue_reference_t<std::add_const_t<T>>>;

  /// An invalid future: valid() is false, all other functions throw exception::RuntimeError.
  SharedFuture() noexcept = default;
  /// As Future::share().
  SharedFuture(Future<T> future)  // NOLINT(google-explicit-constructor): as std::shared_future
      : SharedFuture(future.share()) {}

  /// Whether the future has a value or an operation to wait for.
  bool valid() const noexcept { return static_cast<bool>(_state); }

  /// As Future::wait().
  void wait() const {
    check("wait");
    if (!_state->done()) _state->wait();
  }
  /// As Future::wait_for().
  template <class Rep, class Period>
  bool wait_for(const std::chrono::duration<Rep, Period>& duration) const {
    check("wait_for");
    return _state->wait_until(exec::deadline_after(duration));
  }
  /// As Future::wait_until().
  template <class Clock, class Duration>
  bool wait_until(const std::chrono::time_point<Clock, Duration>& time) const {
    return wait_for(time - Clock::now());
  }
  /// As Future::test().
  bool test() const {
    check("test");
    return _state->test();
  }

  /// Waits, then returns the value.
  /// \throws the exception with which the operation failed
  reference get() const {
    wait();
    if (_state->failed()) std::rethrow_exception(_state->error());
    if constexpr (!std::is_void_v<T>)
      return static_cast<exec::ValueState<T>*>(_state.get())->value();
  }

  /// As Future::then(), but f takes the value by const reference, or a SharedFuture<T>. Does not consume this
  /// future. Continuations of all copies run in the order in which they were attached.
  template <class F>
  auto then(F f) const -> Future<typename exec::Then<SharedFuture, F>::Value>;

 private:
  friend struct exec::FutureAccess;
  template <class>
  friend class Future;

  explicit SharedFuture(exec::StatePtr<exec::State> state) noexcept : _state(std::move(state)) {}

  reference take() const { return get(); }
  void check(const char* called) const {
    if (!valid()) exec::throw_invalid_future(called);
  }

  exec::StatePtr<exec::State> _state;  // a ValueState<T>
};

template <class T>
SharedFuture<T> Future<T>::share() {
  check("share");
  if (_state && !_value_in_state && _state->needs_waiter() && !_state->done()) {
    return then([](auto&&... value) { return T(std::forward<decltype(value)>(value)...); }).share();
  }
  if (!_value_in_state) {
    auto* const preset = new exec::PresetState<T>(std::move(*_value));
    auto result = exec::StatePtr<exec::State>::share(preset);
    if (_state) {
      preset->follow(*_state);
    } else {
      preset->complete();
      preset->release();
    }
    _value.reset();
    _state.reset();
    return SharedFuture<T>(std::move(result));
  }
  _value_in_state = false;
  return SharedFuture<T>(std::move(_state));
}

template <class T>
template <class F>
auto SharedFuture<T>::then(F f) const -> Future<typename exec::Then<SharedFuture, F>::Value> {
  check("then");
  SharedFuture from(*this);
  return exec::then(from, f);
}

}  // namespace dash
