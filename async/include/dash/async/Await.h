#pragma once

#include <coroutine>
#include <type_traits>
#include <utility>

#include "dash/Future.h"

namespace dash::exec {

/// Suspends a coroutine until a future is ready. It goes on where a continuation would run: on a
/// thread that waits or enters the library, or on the executor, never in a lock of the library nor
/// on the progress thread.
/// \tparam Result  what the co_await expression is
template <class From, class Result>
class Awaiter final : public Continuation {
 public:
  explicit Awaiter(From from) : Continuation(Where::user_thread), _from(std::move(from)) {
    if (!_from.valid()) throw_invalid_future("co_await");
  }

  bool await_ready() {
    State* const state = FutureAccess::state(_from).get();
    if (state == nullptr) return true;
    // What is computed only when somebody waits is computed here.
    if (state->needs_waiter()) state->wait();
    return state->done();
  }
  /// After it is attached, the coroutine may go on elsewhere, and this be gone.
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
    const Running running(*outcome);
    _coroutine.resume();
  }
  State* dependent() noexcept override { return _outcome; }

 private:
  From _from;
  std::coroutine_handle<> _coroutine;
  State* _outcome = nullptr;  // of the task that the coroutine is a part of
};

}  // namespace dash::exec

namespace dash {

/// Waits in a coroutine, without a thread; consumes the future.
/// \returns its value   \throws what it failed with
template <class T>
auto operator co_await(Future<T>&& future) {
  return exec::Awaiter<Future<T>, T>(std::move(future));
}

/// The same for a shared future, which keeps its value.
/// \returns a reference to the value; of a temporary, a copy
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
