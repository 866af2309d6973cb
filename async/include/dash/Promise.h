#pragma once

#include <exception>
#include <utility>

#include "dash/Future.h"

namespace dash {

namespace exec {

[[noreturn]] DASH_API void throw_fulfilled_promise(const char* called);
/// The exception with which a future fails if its promise is destroyed without a value.
DASH_API std::exception_ptr broken_promise();

}  // namespace exec

/// Producer side of a Future: the application sets the value.
/// \threads externally synchronized per object; set_value() may run concurrently with waits for the future
/// \ingroup futures
template <class T>
class Promise {
 public:
  /// Creates the state that the promise shares with its future.
  /// \cost one allocation
  Promise() : _state(exec::StatePtr<exec::ValueState<T>>::adopt(new exec::ValueState<T>())) {}
  /// Moves the state; the other promise must not be used any more, except to assign to it.
  Promise(Promise&&) noexcept = default;
  /// Moves the state. The future of the previous state fails if no value or exception has been set.
  Promise& operator=(Promise&& other) noexcept {
    if (this == &other) return *this;
    abandon();
    _state = std::move(other._state);
    return *this;
  }
  /// The future fails if no value or exception has been set.
  ~Promise() { abandon(); }

  /// The future that becomes ready with the value.
  /// \pre called once
  Future<T> get_future() { return Future<T>(_state); }

  /// Makes the future ready, with a value constructed from the arguments.
  /// \throws exception::RuntimeError if the promise has already been fulfilled, or was moved from
  template <class... Args>
  void set_value(Args&&... args) {
    check("set_value");
    _state->set_value(std::forward<Args>(args)...);
  }
  /// Makes the future fail with an exception.
  /// \throws exception::RuntimeError if the promise has already been fulfilled, or was moved from
  void set_exception(std::exception_ptr error) {
    check("set_exception");
    _state->fail(std::move(error));
  }

 private:
  void check(const char* called) const {
    if (!_state || _state->done()) exec::throw_fulfilled_promise(called);
  }
  void abandon() noexcept {
    if (_state && !_state->done()) _state->fail(exec::broken_promise());
  }

  exec::StatePtr<exec::ValueState<T>> _state;
};

}  // namespace dash
