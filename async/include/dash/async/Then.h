#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/Future.h"
#include "dash/async/Engine.h"

namespace dash::exec {

/// The type of the first parameter of a function that says it: NoParameter if it has none, and
/// UnknownParameter for those that take several types.
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

/// What a continuation is called with: the value of `From`, or nothing if it has none.
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

/// Whether a continuation wants the future itself. One that takes anything gets the value.
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

/// Calls a continuation on a future that is ready, or waits for it.
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

/// What then(f) makes of a future.
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

/// The state that the function of a then() waits in and its result goes to, and the continuation
/// that computes it, in one allocation. While attached, the continuation owns a reference to the
/// state that it is.
template <class From, class F>
class ThenState final : public ValueState<typename Then<From, F>::Value>, public Continuation {
  using Value = typename Then<From, F>::Value;
  static constexpr bool unwraps = Then<From, F>::unwraps;
  struct Nothing {};

 public:
  /// With one reference for the caller, and one for the continuation.
  ThenState(From&& from, F&& f)
      : ValueState<Value>(2),
        Continuation(Continuation::Where::user_thread),
        _from(std::move(from)),
        _f(std::move(f)) {}

  void run() noexcept override {
    if (Continuation* const next = run_and_pass_on()) Engine::instance().post(*next);
  }
  Continuation* run_and_pass_on() noexcept override {
    if constexpr (unwraps) {
      if (_inner.valid()) return relay();
    }
    if (_begun.exchange(true, std::memory_order_acq_rel)) {  // cancelled
      this->release();
      return nullptr;
    }
    if constexpr (unwraps) {
      return begin() ? nullptr : relay();
    } else {
      this->keep_result_of([&]() -> decltype(auto) { return call_with(*_f, *_from); },
                           [&] { clear(); });
      return end();
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
  // What was cancelled still has what it came from.
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

  /// Calls the function, which returns a future. \returns whether this will be run again with it
  bool begin() noexcept {
    try {
      const Running running(*this);
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
  /// Passes on what has become of the future that the function returned.
  Continuation* relay() noexcept {
    this->keep_result_of([&]() -> decltype(auto) { return FutureAccess::take(_inner); },
                         [&] { _inner = {}; });
    return end();
  }
  Continuation* end() noexcept {
    Continuation* const next = this->complete_and_pass_on();
    this->release();
    return next;
  }

  std::optional<From> _from;
  std::optional<F> _f;
  std::atomic<bool> _begun{false};
  [[no_unique_address]] std::conditional_t<unwraps, Future<Value>, Nothing> _inner;
};

/// The same of a future that is computed only when somebody waits for it: so is the result.
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
          // Then a function that takes the future gets it ready.
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

/// What f makes of a ready future, here and now. What goes wrong is kept for the result, as it is if
/// f runs later.
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

/// Consumes both.
template <class From, class F>
auto then(From& from, F& f) -> Future<typename Then<From, F>::Value> {
  using Value = typename Then<From, F>::Value;
  State* const pending = FutureAccess::state(from).get();
  if (pending == nullptr || pending->done()) return then_ready(from, f);
  if (pending->needs_waiter()) {
    return Future<Value>(
        StatePtr<ValueState<Value>>::adopt(new LazyThen<From, F>(std::move(from), std::move(f))));
  }
  // The parent stays alive through what the new state keeps of it until the continuation has run.
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
