#pragma once

/// \file
/// Future, and everything that creates or combines futures: promises, shared futures, then, when_all,
/// when_any, co_await.

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

/// The value type of a future; any other type is unchanged.
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

/// Like std::optional for a small type, but always initialized. That costs next to nothing, and
/// avoids false warnings of g++ 12 to 14, which do not track the flag, about an uninitialized
/// value.
template <class T>
class SmallOptional {
 public:
  constexpr SmallOptional() noexcept = default;
  constexpr SmallOptional(
      T value) noexcept  // NOLINT(google-explicit-constructor): as std::optional
      : _value(std::move(value)), _has_value(true) {}

  constexpr bool has_value() const noexcept { return _has_value; }
  constexpr explicit operator bool() const noexcept { return _has_value; }
  constexpr T& operator*() noexcept { return _value; }
  constexpr void emplace(T value) noexcept {
    _value = std::move(value);
    _has_value = true;
  }
  constexpr void reset() noexcept {
    _has_value = false;
    if constexpr (!std::is_trivially_destructible_v<T>) _value = T{};
  }

 private:
  T _value{};
  bool _has_value = false;
};

/// Numbers, pointers, handles, strings and vectors, for instance.
template <class T>
inline constexpr bool is_cheap_to_initialize =
    sizeof(T) <= 4 * sizeof(void*) &&
    std::conjunction_v<std::is_nothrow_default_constructible<T>,
                       std::is_nothrow_move_constructible<T>, std::is_nothrow_move_assignable<T>>;

template <class T>
using optional_value_t =
    std::conditional_t<is_cheap_to_initialize<T>, SmallOptional<T>, std::optional<T>>;

/// Access of the library to the internals of futures.
struct FutureAccess {
  template <class From>
  static const StatePtr<State>& state(const From& future) noexcept {
    return future._state;
  }
  template <class From>
  static StatePtr<State> take_state(From& future) noexcept {
    return std::move(future._state);
  }
  /// Waits, then moves the value out of a Future, or returns a reference to the value of a SharedFuture.
  /// \throws the exception with which the future failed
  template <class From>
  static decltype(auto) take(From& future) {
    return future.take();
  }
};

/// The time of core::now_ns() at which a wait of the given length ends.
template <class Rep, class Period>
std::uint64_t deadline_after(const std::chrono::duration<Rep, Period>& duration) {
  // Avoids an overflow; the limit is more than a hundred years.
  constexpr double longest_ns = 4e18;
  const double ns = std::chrono::duration<double, std::nano>(duration).count();
  if (!(ns > 0)) return 0;
  return core::now_ns() + static_cast<std::uint64_t>(ns < longest_ns ? ns : longest_ns);
}

}  // namespace exec

/// The result of an asynchronous operation: a value that is ready now or later.
///
/// Move only. A future constructed from a value is ready and allocates nothing. Destroying a future does
/// not wait: the operation continues. In a coroutine (see Task), `co_await std::move(future)` waits for the
/// value without blocking a thread.
/// \tparam T  type of the value, or void
/// \threads externally synchronized per object
/// \ingroup futures
template <class T>
class Future {
 public:
  using value_type = T;
  /// Function that computes the value of a lazy future.
  using get_func_t = std::function<T()>;
  /// Function that reports whether the value of a lazy future is available, and stores it.
  using test_func_t = typename exec::DeferredState<T>::Test;
  /// Function that runs when the last owner releases a lazy future.
  using destroy_func_t = std::function<void()>;

  /// An invalid future: valid() is false, all other functions throw exception::RuntimeError.
  Future() noexcept = default;

  /// A ready future.
  Future(exec::stored_value_t<T> value)  // NOLINT(google-explicit-constructor): as DASH's
      : _value(std::move(value)) {}

  /// A lazy future. `get` computes the value on the thread that waits; `test` returns whether the value is
  /// available and stores it; `destroy` runs when the last owner releases the future.
  Future(get_func_t get, test_func_t test = {}, destroy_func_t destroy = {})  // NOLINT
      : _state(exec::StatePtr<exec::ValueState<T>>::adopt(
            new exec::DeferredState<T>(std::move(get), std::move(test), std::move(destroy)))),
        _value_in_state(true) {}

  /// Becomes ready when `operation` completes, with the given value.
  Future(exec::Operation operation, exec::stored_value_t<T> value)
      : _value(std::move(value)), _state(operation.state()) {}

  /// Used by the library: a future of the value that `state` holds or will hold.
  explicit Future(exec::StatePtr<exec::ValueState<T>> state) noexcept
      : _state(std::move(state)), _value_in_state(true) {}

  /// Moves the value or the operation; `other` becomes invalid.
  Future(Future&& other) noexcept
      : _state(std::move(other._state)),
        _value_in_state(std::exchange(other._value_in_state, false)) {
    take_value(other);
  }
  /// Moves the value or the operation; `other` becomes invalid. The previous operation of this future
  /// continues.
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

  /// Whether the future has a value or an operation to wait for.
  bool valid() const noexcept { return _value.has_value() || _value_in_state; }

  /// Returns when ready; makes progress in the meantime. Does not throw the exception of a failed operation.
  /// \throws exception::RuntimeError if the wait could never end: on the progress thread, or in a function
  ///         on whose result this future depends
  void wait() const {
    check("wait");
    if (_state && !_state->done()) _state->wait();
  }

  /// Waits until ready, but not longer than a duration. A lazy future without a test function is computed,
  /// however long that takes.
  /// \returns whether ready
  template <class Rep, class Period>
  bool wait_for(const std::chrono::duration<Rep, Period>& duration) const {
    check("wait_for");
    return !_state || _state->wait_until(exec::deadline_after(duration));
  }
  /// Waits until ready, but not longer than a point in time.
  /// \returns whether ready
  /// \see wait_for
  template <class Clock, class Duration>
  bool wait_until(const std::chrono::time_point<Clock, Duration>& time) const {
    return wait_for(time - Clock::now());
  }

  /// Makes some progress. \returns whether ready
  bool test() const {
    check("test");
    return !_state || _state->test();
  }

  /// Waits, then returns a copy of the value; may be called repeatedly. A move-only value is moved out and
  /// can be obtained once.
  /// \throws the exception with which the operation failed
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

  /// Attaches a continuation: returns a future of f(value), or of f() for Future<void>. Consumes this
  /// future. If f returns a future, the result is a future of its value.
  ///
  /// f runs immediately if this future is ready. Otherwise it runs on a thread that waits or enters the
  /// library, or on the executor, without locks of the library held. If this future fails, the result fails,
  /// too, and f does not run. A function that takes a Future<T> instead of a value is called with this
  /// future in any case, when it is ready or failed.
  /// \cost at most one allocation if this is pending, none if it is ready
  template <class F>
  auto then(F f) -> Future<typename exec::Then<Future, F>::Value>;

  /// Cancels a computation that has not begun: a continuation, a lazy computation or a task of dash::async;
  /// and, in turn, computations on which only it depends. Their futures fail with exception::Cancelled.
  /// \returns whether this future was cancelled
  bool cancel() {
    check("cancel");
    return _state && _state->cancel();
  }

  /// Returns a future whose copies share the value. Consumes this future.
  /// \cost one allocation if this future was constructed with its value, else none
  SharedFuture<T> share();

  /// For a future of a future: returns a future of the inner value. Consumes this future.
  auto unwrap() /** \cond */ requires exec::Unwrapped<T>::is_future /** \endcond */ {
    return then([](T inner) { return inner; });
  }

 private:
  friend struct exec::FutureAccess;
  template <class>
  friend class SharedFuture;

  // g++ 12 does not see that the value is read only if the flag is set.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  // Checks the flag: copying a whole optional just after its flag has been written stalls the processor
  // (failed store-to-load forwarding).
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

  // Ready: there is a value and no state, or the state is done. The value is stored here if the future was
  // constructed with it, else in the state.
  exec::optional_value_t<exec::stored_value_t<T>> _value;
  exec::StatePtr<exec::State> _state;
  bool _value_in_state = false;
};

/// A ready Future<void>.
/// \ingroup futures
inline Future<void> make_ready_future() {
  return Future<void>(exec::Unit{});
}

namespace exec {

/// A future that becomes ready when the operation completes, with the given value.
template <class T>
Future<T> make_future(Operation operation, T value) {
  return Future<T>(std::move(operation), std::move(value));
}

}  // namespace exec

}  // namespace dash

#include "dash/Promise.h"
#include "dash/SharedFuture.h"
#include "dash/WaitAny.h"
#include "dash/WhenAll.h"
#include "dash/async/Await.h"
#include "dash/async/Then.h"
