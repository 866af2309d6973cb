#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/async/Deferred.h"
#include "dash/async/Operation.h"
#include "dash/async/ValueState.h"

namespace dash {

template <class T>
class Future;

namespace exec {

template <class F, class T>
struct ThenResult {
  using type = std::invoke_result_t<F, T>;
};
template <class F>
struct ThenResult<F, void> {
  using type = std::invoke_result_t<F>;
};

[[noreturn]] DASH_API void throw_invalid_future(const char* called);
[[noreturn]] DASH_API void throw_kept_promise(const char* called);

}  // namespace exec

/// A value that is there, or will be: the one way to learn that something has completed.
///
/// Move only. A future made from a value is ready at birth and allocates nothing. Destroying a
/// future never waits: what it stands for goes on without it.
/// \threads one at a time per object
template <class T>
class Future {
 public:
  using value_type = T;
  using get_func_t = std::function<T()>;
  using test_func_t = typename exec::DeferredState<T>::Test;
  using destroy_func_t = std::function<void()>;

  /// A future of nothing: valid() is false, everything else throws exception::RuntimeError.
  Future() noexcept = default;

  /// Ready at birth.
  Future(exec::stored_value_t<T> value)  // NOLINT(google-explicit-constructor): as DASH's
      : _value(std::move(value)) {}

  /// Runs `get` when somebody waits; `test` tells whether the value is there, and stores it;
  /// `destroy` runs when the last owner of the future lets go.
  Future(get_func_t get, test_func_t test = {}, destroy_func_t destroy = {})  // NOLINT
      : _state(exec::StatePtr<exec::ValueState<T>>::adopt(
            new exec::DeferredState<T>(std::move(get), std::move(test), std::move(destroy)))),
        _value_in_state(true) {}

  /// Becomes ready with `operation`, and then holds `value`.
  Future(exec::Operation operation, exec::stored_value_t<T> value)
      : _value(std::move(value)), _state(operation.state()) {}

  explicit Future(exec::StatePtr<exec::ValueState<T>> state) noexcept
      : _state(std::move(state)), _value_in_state(true) {}

  Future(Future&& other) noexcept
      : _value(std::exchange(other._value, std::nullopt)),
        _state(std::move(other._state)),
        _value_in_state(std::exchange(other._value_in_state, false)) {}
  Future& operator=(Future&& other) noexcept {
    _value = std::exchange(other._value, std::nullopt);
    _state = std::move(other._state);
    _value_in_state = std::exchange(other._value_in_state, false);
    return *this;
  }
  Future(const Future&) = delete;
  Future& operator=(const Future&) = delete;
  ~Future() = default;

  /// Whether there is anything to wait for, or a value.
  bool valid() const noexcept { return _value.has_value() || _value_in_state; }

  /// Returns when ready: spins, helps, sleeps. Does not throw what the operation failed with.
  void wait() const {
    check("wait");
    if (_state && !_state->done()) _state->wait();
  }

  /// Whether ready; makes some progress.
  bool test() const {
    check("test");
    return !_state || _state->test();
  }

  /// Waits, then returns the value: a copy, any number of times; a value that can only be moved is
  /// moved out, once.
  /// \throws what the operation failed with
  T get() {
    wait();
    if (_state && _state->failed()) std::rethrow_exception(_state->error());
    if constexpr (!std::is_void_v<T>) {
      if constexpr (exec::is_copyable<T>) {
        return value();
      } else {
        return std::move(value());
      }
    }
  }

  /// The future of f(value), or of f() for Future<void>; consumes this one.
  ///
  /// f runs at once if this is ready, else on a thread that waits for the result or enters the
  /// library, outside of all its locks. If this future fails, so does the result; f is not run.
  /// \cost one allocation if this is pending, none if it is ready
  template <class F>
  auto then(F f) -> Future<typename exec::ThenResult<F, T>::type>;

 private:
  exec::stored_value_t<T>& value() noexcept {
    return _value_in_state ? static_cast<exec::ValueState<T>*>(_state.get())->value() : *_value;
  }
  void check(const char* called) const {
    if (!valid()) exec::throw_invalid_future(called);
  }

  template <class>
  friend class Future;
  template <class U>
  friend const exec::StatePtr<exec::State>& state_of(const Future<U>& future) noexcept;

  // Ready: a value and no state, or one that is done. The value stands here if it was known when
  // the future was made, else in the state.
  std::optional<exec::stored_value_t<T>> _value;
  exec::StatePtr<exec::State> _state;
  bool _value_in_state = false;
};

template <class U>
const exec::StatePtr<exec::State>& state_of(const Future<U>& future) noexcept {
  return future._state;
}

/// Future<void> ready at birth.
inline Future<void> make_ready_future() {
  return Future<void>(exec::Unit{});
}

/// Where the value of a Future is put by hand.
/// \threads one at a time per object; set and the future's waits may be concurrent
template <class T>
class Promise {
 public:
  Promise() : _state(exec::StatePtr<exec::ValueState<T>>::adopt(new exec::ValueState<T>())) {}
  Promise(Promise&&) noexcept = default;
  Promise& operator=(Promise&& other) noexcept {
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
    if (_state && !_state->done()) {
      _state->fail(std::make_exception_ptr(exception::RuntimeError(
          "promise destroyed without a value: its future cannot be ready")));
    }
  }

  exec::StatePtr<exec::ValueState<T>> _state;
};

namespace exec {

/// Runs f on the value of a future into a state.
template <class T, class F, class R>
void fulfil(ValueState<R>& result, Future<T>& from, F& f) noexcept {
  try {
    if constexpr (std::is_void_v<T>) {
      from.get();
      if constexpr (std::is_void_v<R>) {
        f();
        result.set_value();
      } else {
        result.set_value(f());
      }
    } else if constexpr (std::is_void_v<R>) {
      f(from.get());
      result.set_value();
    } else {
      result.set_value(f(from.get()));
    }
  } catch (...) {
    result.fail(std::current_exception());
  }
}

/// The ready future of f(value of a ready future).
template <class R, class F, class T>
Future<R> call_to_future(F& f, Future<T>& from) {
  if constexpr (std::is_void_v<R> && std::is_void_v<T>) {
    f();
    return make_ready_future();
  } else if constexpr (std::is_void_v<R>) {
    f(from.get());
    return make_ready_future();
  } else if constexpr (std::is_void_v<T>) {
    return Future<R>(f());
  } else {
    return Future<R>(f(from.get()));
  }
}

/// The result of a `then` on a pending future, and the continuation that computes it, in one
/// allocation. While attached, the continuation owns a reference to the state that it is.
template <class T, class F, class R>
class ThenState final : public ValueState<R>, public Continuation {
 public:
  ThenState(Future<T> from, F f)
      : Continuation(Continuation::Where::user_thread), _from(std::move(from)), _f(std::move(f)) {
    const StatePtr<State>& parent = state_of(*_from);
    if (parent->needs_waiter()) _parent = parent;
  }

  // A deferred computation before this one runs only if somebody waits for it.
  bool needs_waiter() const noexcept override { return static_cast<bool>(_parent); }
  void wait() override {
    if (_parent) _parent->wait();
    State::wait();
  }
  bool test() override {
    if (_parent && !_parent->test()) return false;
    return State::test();
  }

  void run() noexcept override {
    fulfil(*this, *_from, *_f);
    // What the function holds is let go now, not when the last future is.
    _from.reset();
    _f.reset();
    this->release();
  }

 private:
  std::optional<Future<T>> _from;
  std::optional<F> _f;
  StatePtr<State> _parent;
};

}  // namespace exec

template <class T>
template <class F>
auto Future<T>::then(F f) -> Future<typename exec::ThenResult<F, T>::type> {
  using R = typename exec::ThenResult<F, T>::type;
  check("then");
  if (!_state || _state->done()) {
    // Ready: f runs here and now. What goes wrong is kept for the result, as it is if f runs later.
    std::exception_ptr error = _state && _state->failed() ? _state->error() : nullptr;
    if (error == nullptr) {
      try {
        return exec::call_to_future<R>(f, *this);
      } catch (...) {
        error = std::current_exception();
      }
    }
    auto state = exec::StatePtr<exec::ValueState<R>>::adopt(new exec::ValueState<R>());
    state->fail(std::move(error));
    return Future<R>(std::move(state));
  }
  exec::State* pending = _state.get();
  // The parent stays alive through _from of the new state until the continuation has run.
  auto* then_state = new exec::ThenState<T, F, R>(std::move(*this), std::move(f));
  auto result = exec::StatePtr<exec::ValueState<R>>::share(then_state);
  if (!pending->attach(*then_state)) then_state->run();
  return Future<R>(std::move(result));
}

/// The future of all of them: ready when each is, successfully or not; each then tells its own.
template <class T>
Future<std::vector<Future<T>>> when_all(std::vector<Future<T>> futures) {
  std::vector<exec::Operation> operations;
  operations.reserve(futures.size());
  for (const Future<T>& future : futures)
    operations.emplace_back(state_of(future));
  exec::Operation all = exec::when_all_settled(operations);
  return Future<std::vector<Future<T>>>(std::move(all), std::move(futures));
}

/// \overload
template <class... Ts>
Future<std::tuple<Future<Ts>...>> when_all(Future<Ts>... futures) {
  const exec::Operation operations[] = {exec::Operation(state_of(futures))...};
  exec::Operation all = exec::when_all_settled(operations);
  return Future<std::tuple<Future<Ts>...>>(std::move(all),
                                           std::tuple<Future<Ts>...>(std::move(futures)...));
}

namespace exec {

/// The future that becomes ready with the operation and then holds the value.
template <class T>
Future<T> make_future(Operation operation, T value) {
  return Future<T>(std::move(operation), std::move(value));
}

}  // namespace exec

}  // namespace dash
