#pragma once

#include <coroutine>
#include <type_traits>
#include <utility>

#include "dash/Future.h"

namespace dash::exec {

/// Suspends a coroutine until a future is ready. It continues where a continuation would run: on a thread
/// that waits or enters the library, or on the executor; never with a lock of the library held, nor on the
/// progress thread.
/// \tparam Result  type of the co_await expression
template <class From, class Result>
class Awaiter final : public Continuation {
 public:
  explicit Awaiter(From from) : Continuation(Where::user_thread), _from(std::move(from)) {
    if (!_from.valid()) throw_invalid_future("co_await");
  }

  bool await_ready() {
    State* const state = FutureAccess::state(_from).get();
    if (state == nullptr) return true;
    // A lazy future is computed here.
    if (state->needs_waiter()) state->wait();
    return state->done();
  }
  /// Once attached, the coroutine may continue on another thread and destroy this object.
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> coroutine) noexcept {
    _coroutine = coroutine;
    if constexpr (requires { coroutine.promise().outcome(); })
      _outcome = coroutine.promise().outcome();
    return FutureAccess::state(_from)->attach(*this);
  }
  Result await_resume() { return FutureAccess::take(_from); }

  void run() noexcept override {
    const auto outcome = StatePtr<State>::share(_outcome);
    if (!outcome) return _coroutine.resume();
    const ComputationScope scope(*outcome);
    _coroutine.resume();
  }
  State* dependent() noexcept override { return _outcome; }

 private:
  From _from;
  std::coroutine_handle<> _coroutine;
  State* _outcome = nullptr;  // result of the task to which the coroutine belongs
};

}  // namespace dash::exec

namespace dash {

/// Waits in a coroutine without blocking a thread. Consumes the future.
/// \returns its value   \throws the exception with which it failed
template <class T>
auto operator co_await(Future<T>&& future) {
  return exec::Awaiter<Future<T>, T>(std::move(future));
}

/// The same for a shared future, which keeps its value.
/// \returns a reference to the value; a copy if the future is a temporary
/// @{
template <class T>
auto operator co_await(const SharedFuture<T>& future) {
  return exec::Awaiter<SharedFuture<T>, typename SharedFuture<T>::reference>(future);
}
template <class T>
auto operator co_await(SharedFuture<T>&& future) {
  return exec::Awaiter<SharedFuture<T>, T>(std::move(future));
}
/// @}

}  // namespace dash
