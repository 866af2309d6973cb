#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/Future.h"

namespace dash::exec {

/// The type of the first parameter of a function: NoParameter if it has none, UnknownParameter if the
/// function is overloaded or a template.
struct NoParameter;
struct UnknownParameter;
template <class F>
struct FirstParameter {
  using type = UnknownParameter;
};
template <class F>
requires requires {
  &F::operator();
}
struct FirstParameter<F> : FirstParameter<decltype(&F::operator())> {};
template <class R>
struct FirstParameter<R (*)()> {
  using type = NoParameter;
};
template <class R, class A, class... Rest>
struct FirstParameter<R (*)(A, Rest...)> {
  using type = A;
};
template <class R, class... A>
struct FirstParameter<R (*)(A...) noexcept> : FirstParameter<R (*)(A...)> {};
template <class R, class C, class... A>
struct FirstParameter<R (C::*)(A...)> : FirstParameter<R (*)(A...)> {};
template <class R, class C, class... A>
struct FirstParameter<R (C::*)(A...) const> : FirstParameter<R (*)(A...)> {};
template <class R, class C, class... A>
struct FirstParameter<R (C::*)(A...) noexcept> : FirstParameter<R (*)(A...)> {};
template <class R, class C, class... A>
struct FirstParameter<R (C::*)(A...) const noexcept> : FirstParameter<R (*)(A...)> {};

/// The argument of a continuation: the value of `From`; void if it has none.
template <class From>
using taken_t = decltype(FutureAccess::take(std::declval<From&>()));

template <class From, class F>
constexpr bool accepts_value() {
  if constexpr (std::is_void_v<taken_t<From>>) {
    return std::is_invocable_v<F&>;
  } else {
    return std::is_invocable_v<F&, taken_t<From>>;
  }
}

/// Whether a continuation takes the future itself. A function that accepts both gets the value.
template <class From, class F>
constexpr bool wants_future() {
  using First = typename FirstParameter<F>::type;
  if constexpr (!std::is_same_v<First, UnknownParameter>) {
    return std::is_same_v<std::remove_cvref_t<First>, From>;
  } else if constexpr (accepts_value<From, F>()) {
    return false;
  } else {
    return std::is_invocable_v<F&, From>;
  }
}

/// Calls a continuation with a future or its value; waits if the future is not ready.
template <class From, class F>
decltype(auto) call_with(F& f, From& from) {
  if constexpr (wants_future<From, F>()) {
    return std::invoke(f, std::move(from));
  } else if constexpr (std::is_void_v<taken_t<From>>) {
    FutureAccess::take(from);
    return std::invoke(f);
  } else {
    return std::invoke(f, FutureAccess::take(from));
  }
}

/// Types of then(f).
template <class From, class F>
struct Then {
  static_assert(wants_future<From, F>() || accepts_value<From, F>(),
                "the function given to then() takes neither the value of the future (no argument, "
                "if that is void) nor the future itself");
  using Result =
      std::remove_cvref_t<decltype(call_with(std::declval<F&>(), std::declval<From&>()))>;
  using Value = typename Unwrapped<Result>::type;
  static constexpr bool unwraps = Unwrapped<Result>::is_future;
};

template <class T>
void check_returned(const Future<T>& future) {
  if (!future.valid()) throw_invalid_future("then, with a function that returns a future");
}

/// The function of a then() that has not run, its continuation and its result state, in one allocation. While
/// attached, the continuation owns a reference to this state.
template <class From, class F>
class ThenState final : public ValueState<typename Then<From, F>::Value>, public Continuation {
  using Value = typename Then<From, F>::Value;
  static constexpr bool unwraps = Then<From, F>::unwraps;
  struct Nothing {};

 public:
  /// Has two references: one for the caller, and one for the continuation.
  ThenState(From&& from, F&& f)
      : ValueState<Value>(2),
        Continuation(Continuation::Where::user_thread),
        _from(std::move(from)),
        _f(std::move(f)) {}

  void run() noexcept override {
    if (Continuation* const next = run_and_take_next()) next->post();
  }
  Continuation* run_and_take_next() noexcept override {
    if constexpr (unwraps) {
      if (_inner.valid()) return copy_inner_result();
    }
    if (_begun.exchange(true, std::memory_order_acq_rel)) {  // cancelled
      this->release();
      return nullptr;
    }
    if constexpr (unwraps) {
      return call_function() ? nullptr : copy_inner_result();
    } else {
      this->keep_result_of([&]() -> decltype(auto) { return call_with(*_f, *_from); },
                           [&] { clear(); });
      return finish();
    }
  }
  State* dependent() noexcept override { return this; }

 protected:
  bool cancel_this() noexcept override {
    if (_begun.exchange(true, std::memory_order_acq_rel)) return false;
    _f.reset();
    this->fail_cancelled();
    return true;
  }
  StatePtr<State> upstream() noexcept override {
    if constexpr (std::is_same_v<From, SharedFuture<typename From::value_type>>) {
      return {};
    } else {
      return FutureAccess::state(*_from);
    }
  }
  StatePtr<State> take_upstream() noexcept override {
    return _from ? FutureAccess::take_state(*_from) : StatePtr<State>();
  }
  // A cancelled state still has its upstream future.
  void destroy() noexcept override {
    StatePtr<State> last = take_upstream();
    delete this;
    this->drop_chain(std::move(last));
  }

 private:
  void clear() noexcept {
    _from.reset();
    _f.reset();
  }

  /// Calls the function, which returns a future. \returns whether this runs again when that future is ready
  bool call_function() noexcept {
    try {
      const ComputationScope scope(*this);
      _inner = call_with(*_f, *_from);
      check_returned(_inner);
      const StatePtr<State>& inner = FutureAccess::state(_inner);
      if (inner && inner->needs_waiter()) inner->wait();
    } catch (...) {
      _inner = failed(std::current_exception());
    }
    clear();
    const StatePtr<State> inner = FutureAccess::state(_inner);
    return inner && inner->attach(*this);
  }
  static Future<Value> failed(std::exception_ptr error) {
    auto state = StatePtr<ValueState<Value>>::adopt(new ValueState<Value>());
    state->fail(std::move(error));
    return Future<Value>(std::move(state));
  }
  /// Copies the result of the future that the function has returned.
  Continuation* copy_inner_result() noexcept {
    this->keep_result_of([&]() -> decltype(auto) { return FutureAccess::take(_inner); },
                         [&] { _inner = {}; });
    return finish();
  }
  Continuation* finish() noexcept {
    Continuation* const next = this->complete_and_take_next();
    this->release();
    return next;
  }

  std::optional<From> _from;
  std::optional<F> _f;
  // The thread whose exchange returns false runs or destroys the function; no other thread uses it. Any order
  // suffices, since the queue or attach() has published the members above.
  std::atomic<bool> _begun{false};
  [[no_unique_address]] std::conditional_t<unwraps, Future<Value>, Nothing> _inner;
};

/// The same for a lazy future; the result is lazy, too.
template <class From, class F>
class LazyThen final : public LazyState<typename Then<From, F>::Value> {
 public:
  LazyThen(From&& from, F&& f) : _from(std::move(from)), _f(std::move(f)) {}

 protected:
  StatePtr<State> upstream() noexcept override {
    if constexpr (std::is_same_v<From, SharedFuture<typename From::value_type>>) {
      return {};
    } else {
      return _from ? FutureAccess::state(*_from) : StatePtr<State>();
    }
  }
  StatePtr<State> take_upstream() noexcept override {
    return _from ? FutureAccess::take_state(*_from) : StatePtr<State>();
  }
  void destroy() noexcept override {
    StatePtr<State> last = take_upstream();
    delete this;
    this->drop_chain(std::move(last));
  }

 private:
  Lazy* first_to_compute() noexcept override {
    State* const state = FutureAccess::state(*_from).get();
    return state == nullptr || state->done() ? nullptr : state->lazy();
  }
  void compute() noexcept override {
    this->set_result_of(
        [&]() -> decltype(auto) {
          // A function that takes the future itself expects a ready one.
          _from->wait();
          if constexpr (Then<From, F>::unwraps) {
            auto inner = call_with(*_f, *_from);
            check_returned(inner);
            return FutureAccess::take(inner);
          } else {
            return call_with(*_f, *_from);
          }
        },
        [&] {
          _from.reset();
          _f.reset();
        });
  }
  bool try_compute() noexcept override {
    if (!_from->test()) return false;
    compute();
    return true;
  }

  std::optional<From> _from;
  std::optional<F> _f;
};

/// Runs f immediately on a ready future. Exceptions are stored in the result, as they are if f runs later.
template <class From, class F>
auto then_ready(From& from, F& f) -> Future<typename Then<From, F>::Value> {
  using Value = typename Then<From, F>::Value;
  const StatePtr<State>& state = FutureAccess::state(from);
  std::exception_ptr error;
  if (!wants_future<From, F>() && state && state->failed()) {
    error = state->error();
  } else {
    try {
      if constexpr (Then<From, F>::unwraps) {
        auto inner = call_with(f, from);
        check_returned(inner);
        return inner;
      } else if constexpr (std::is_void_v<Value>) {
        call_with(f, from);
        return make_ready_future();
      } else {
        return Future<Value>(call_with(f, from));
      }
    } catch (...) {
      error = std::current_exception();
    }
  }
  auto failed = StatePtr<ValueState<Value>>::adopt(new ValueState<Value>());
  failed->fail(std::move(error));
  return Future<Value>(std::move(failed));
}

/// Implements Future::then(). Consumes both arguments.
template <class From, class F>
auto then(From& from, F& f) -> Future<typename Then<From, F>::Value> {
  using Value = typename Then<From, F>::Value;
  State* const pending = FutureAccess::state(from).get();
  if (pending == nullptr || pending->done()) return then_ready(from, f);
  if (pending->needs_waiter()) {
    return Future<Value>(
        StatePtr<ValueState<Value>>::adopt(new LazyThen<From, F>(std::move(from), std::move(f))));
  }
  // The new state owns the parent future, which stays alive until the continuation has run.
  auto* const state = new ThenState<From, F>(std::move(from), std::move(f));
  auto result = StatePtr<ValueState<Value>>::adopt(state);
  if (!pending->attach(*state)) state->run();
  return Future<Value>(std::move(result));
}

}  // namespace dash::exec

namespace dash {

template <class T>
template <class F>
auto Future<T>::then(F f) -> Future<typename exec::Then<Future, F>::Value> {
  check("then");
  Future from(std::move(*this));
  return exec::then(from, f);
}

}  // namespace dash
