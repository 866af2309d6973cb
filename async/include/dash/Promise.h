#pragma once

#include <exception>
#include <utility>

#include "dash/Future.h"

namespace dash {

namespace exec {

[[noreturn]] DASH_API void throw_kept_promise(const char* called);
/// What the future of a promise fails with that was destroyed.
DASH_API std::exception_ptr broken_promise();

}  // namespace exec

/// Where the value of a Future is put by hand.
/// \threads one at a time per object; set and the future's waits may be concurrent
template <class T>
class Promise {
 public:
  Promise() : _state(exec::StatePtr<exec::ValueState<T>>::adopt(new exec::ValueState<T>())) {}
  Promise(Promise&&) noexcept = default;
  Promise& operator=(Promise&& other) noexcept {
    if (this == &other) return *this;
    abandon();
    _state = std::move(other._state);
    return *this;
  }
  /// An unkept promise makes its future fail.
  ~Promise() { abandon(); }

  /// \pre called once
  Future<T> get_future() { return Future<T>(_state); }

  /// \throws exception::RuntimeError if it has been kept, or moved from
  template <class... Args>
  void set_value(Args&&... args) {
    check("set_value");
    _state->set_value(std::forward<Args>(args)...);
  }
  /// \throws exception::RuntimeError if it has been kept, or moved from
  void set_exception(std::exception_ptr error) {
    check("set_exception");
    _state->fail(std::move(error));
  }

 private:
  void check(const char* called) const {
    if (!_state || _state->done()) exec::throw_kept_promise(called);
  }
  void abandon() noexcept {
    if (_state && !_state->done()) _state->fail(exec::broken_promise());
  }

  exec::StatePtr<exec::ValueState<T>> _state;
};

}  // namespace dash
