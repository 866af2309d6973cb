#pragma once

/// \file
/// Future and what is made of futures: promises, shared futures, then, when_all, when_any, co_await.

#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/Exception.h"
#include "dash/async/Deferred.h"
#include "dash/async/Operation.h"
#include "dash/async/ValueState.h"
#include "dash/core/Clock.h"

namespace dash {

template <class T>
class Future;
template <class T>
class SharedFuture;

namespace exec {

[[noreturn]] DASH_API void throw_invalid_future(const char* called);

template <class From, class F>
struct Then;
template <class From, class F>
auto then(From& from, F& f) -> Future<typename Then<From, F>::Value>;

/// A future's value instead of the future.
template <class T>
struct Unwrapped {
  using type = T;
  static constexpr bool is_future = false;
};
template <class T>
struct Unwrapped<Future<T>> {
  using type = T;
  static constexpr bool is_future = true;
};

/// A std::optional of a small trivial value, which is initialised even where there is none: that
/// costs nothing, and g++ 12, which loses sight of the flag, warns of no uninitialised value then.
template <class T>
class SmallOptional {
 public:
  constexpr SmallOptional() noexcept = default;
  constexpr SmallOptional(
      T value) noexcept  // NOLINT(google-explicit-constructor): as std::optional
      : _value(value), _has_value(true) {}

  constexpr bool has_value() const noexcept { return _has_value; }
  constexpr explicit operator bool() const noexcept { return _has_value; }
  constexpr T& operator*() noexcept { return _value; }
  constexpr void emplace(T value) noexcept {
    _value = value;
    _has_value = true;
  }
  constexpr void reset() noexcept { _has_value = false; }

 private:
  T _value{};
  bool _has_value = false;
};

template <class T>
using optional_value_t = std::conditional_t<std::is_trivial_v<T> && !std::is_const_v<T> &&
                                                sizeof(T) <= 2 * sizeof(void*),
                                            SmallOptional<T>, std::optional<T>>;

/// What the library does with a future besides its interface.
struct FutureAccess {
  template <class From>
  static const StatePtr<State>& state(const From& future) noexcept {
    return future._state;
  }
  template <class From>
  static StatePtr<State> take_state(From& future) noexcept {
    return std::move(future._state);
  }
  /// Waits; then the value of a Future, which has none afterwards, or a reference to that of a
  /// SharedFuture. \throws what it failed with
  template <class From>
  static decltype(auto) take(From& future) {
    return future.take();
  }
};

/// The time of core::now_ns() at which a wait of that length ends.
template <class Rep, class Period>
std::uint64_t deadline_after(const std::chrono::duration<Rep, Period>& duration) {
  // More than a hundred years is for ever, and does not fit.
  constexpr double longest_ns = 4e18;
  const double ns = std::chrono::duration<double, std::nano>(duration).count();
  if (!(ns > 0)) return 0;
  return core::now_ns() + static_cast<std::uint64_t>(ns < longest_ns ? ns : longest_ns);
}

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

  /// Runs `get` when somebody waits, on that thread; `test` tells whether the value is there, and
  /// stores it; `destroy` runs when the last owner of the future lets go.
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
      : _state(std::move(other._state)),
        _value_in_state(std::exchange(other._value_in_state, false)) {
    take_value(other);
  }
  Future& operator=(Future&& other) noexcept {
    if (this == &other) return *this;
    _state = std::move(other._state);
    _value_in_state = std::exchange(other._value_in_state, false);
    _value.reset();
    take_value(other);
    return *this;
  }
  Future(const Future&) = delete;
  Future& operator=(const Future&) = delete;
  ~Future() = default;

  /// Whether there is anything to wait for, or a value.
  bool valid() const noexcept { return _value.has_value() || _value_in_state; }

  /// Returns when ready: spins, helps, sleeps. Does not throw what the operation failed with.
  /// \throws exception::RuntimeError where that can never be: on the progress thread, or in a
  ///         function on whose result this depends
  void wait() const {
    check("wait");
    if (_state && !_state->done()) _state->wait();
  }

  /// The same for a limited time. What is computed only when somebody waits is computed, however
  /// long it takes, unless it has a test function.
  /// \returns whether ready
  /// @{
  template <class Rep, class Period>
  bool wait_for(const std::chrono::duration<Rep, Period>& duration) const {
    check("wait_for");
    return !_state || _state->wait_until(exec::deadline_after(duration));
  }
  template <class Clock, class Duration>
  bool wait_until(const std::chrono::time_point<Clock, Duration>& time) const {
    return wait_for(time - Clock::now());
  }
  /// @}

  /// Whether ready; makes some progress.
  bool test() const {
    check("test");
    return !_state || _state->test();
  }

  /// Waits, then returns the value: a copy, any number of times; a value that can only be moved is
  /// moved out, once.
  /// \throws what the operation failed with
  T get() {
    finish();
    if constexpr (!std::is_void_v<T>) {
      if constexpr (exec::is_copyable<T>) {
        return value();
      } else {
        return std::move(value());
      }
    }
  }

  /// The future of f(value), or of f() for Future<void>; consumes this one. If f returns a future,
  /// the result is that future: of its value, not of a future.
  ///
  /// f runs at once if this is ready, else on a thread that waits for the result or enters the
  /// library, or on the executor, outside of all locks of the library. If this future fails, so
  /// does the result; f is not run. A function that takes a Future<T> instead of a value is run
  /// with this one, ready, however it ended.
  /// \cost at most one allocation if this is pending, none if it is ready
  template <class F>
  auto then(F f) -> Future<typename exec::Then<Future, F>::Value>;

  /// Gives up what has not begun: a function given to then() whose turn has not come, a computation
  /// that waits for somebody to wait, a task of dash::async that has not begun; and in turn what
  /// they alone were waiting for. They fail with exception::Cancelled.
  /// \returns whether this one has been cancelled
  bool cancel() {
    check("cancel");
    return _state && _state->cancel();
  }

  /// A future whose copies share the value; consumes this one.
  /// \cost one allocation if the value was known when this future was made, else none
  SharedFuture<T> share();

  /// The future of the value of the future that this one is of; consumes this one.
  auto unwrap() requires exec::Unwrapped<T>::is_future {
    return then([](T inner) { return inner; });
  }

 private:
  friend struct exec::FutureAccess;
  template <class>
  friend class SharedFuture;

  // g++ 12 does not see that without a flag there is no value to read.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  // Only if there is one: copying an optional as a whole, just after its flag was written, stalls the
  // processor.
  void take_value(Future& other) noexcept {
    if (!other._value) return;
    _value.emplace(std::move(*other._value));
    other._value.reset();
  }
  exec::stored_value_t<T>& value() noexcept {
    return _value_in_state ? static_cast<exec::ValueState<T>*>(_state.get())->value() : *_value;
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
  void check(const char* called) const {
    if (!valid()) exec::throw_invalid_future(called);
  }
  void finish() const {
    wait();
    if (_state && _state->failed()) std::rethrow_exception(_state->error());
  }
  T take() {
    finish();
    if constexpr (!std::is_void_v<T>) return std::move(value());
  }

  // Ready: a value and no state, or one that is done. The value stands here if it was known when
  // the future was made, else in the state.
  exec::optional_value_t<exec::stored_value_t<T>> _value;
  exec::StatePtr<exec::State> _state;
  bool _value_in_state = false;
};

/// Future<void> ready at birth.
inline Future<void> make_ready_future() {
  return Future<void>(exec::Unit{});
}

namespace exec {

/// The future that becomes ready with the operation and then holds the value.
template <class T>
Future<T> make_future(Operation operation, T value) {
  return Future<T>(std::move(operation), std::move(value));
}

}  // namespace exec

}  // namespace dash

#include "dash/Promise.h"
#include "dash/SharedFuture.h"
#include "dash/WhenAll.h"
#include "dash/async/Await.h"
#include "dash/async/Then.h"
