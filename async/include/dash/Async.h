#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/Future.h"
#include "dash/async/Executor.h"

namespace dash {

namespace exec {

/// A call that runs as a job, and its result, in one allocation. The executor owns one reference until it has
/// run.
template <class R, class F, class... Args>
class CallState final : public ValueState<R>, public Job {
 public:
  template <class G, class... Given>
  explicit CallState(G&& f, Given&&... args)
      : _f(std::forward<G>(f)), _args(std::in_place, std::forward<Given>(args)...) {}

  Label label() const noexcept override { return {"a task"}; }

  void run() noexcept override {
    if (!_begun.exchange(true, std::memory_order_acq_rel))
      this->set_result_of([&] { return value_of_call(); }, [&] { clear(); });
    this->release();
  }

 protected:
  bool cancel_this() noexcept override {
    if (_begun.exchange(true, std::memory_order_acq_rel)) return false;
    clear();
    this->fail_cancelled();
    return true;
  }

 private:
  R value_of_call() {
    using Result = std::invoke_result_t<F, Args...>;
    if constexpr (Unwrapped<Result>::is_future) {
      return std::apply(std::move(*_f), std::move(*_args)).get();
    } else {
      return std::apply(std::move(*_f), std::move(*_args));
    }
  }
  void clear() noexcept {
    _f.reset();
    _args.reset();
  }

  std::optional<F> _f;
  std::optional<std::tuple<Args...>> _args;
  // The thread whose exchange returns false runs or destroys the function; no other thread uses it. Any order
  // suffices, since the queue or attach() has published the members above.
  std::atomic<bool> _begun{false};
};

}  // namespace exec

/// Starts f(args...) as a task of this unit. The function and its arguments are copied or moved as by
/// std::async; use std::ref for references.
///
/// A task may wait for futures, transfers and other units. While it waits, it is suspended and its thread
/// runs other tasks. It may therefore continue on another thread, and must not hold a mutex during a wait.
/// Tasks run on the workers of the unit. If the unit has one processor, they run when a thread waits, tests
/// or calls `dart_progress()`, and in `dash::finalize` at the latest.
/// \returns a future of the result; if f returns a future, a future of its value. It fails with the exception
///          that f throws. The task continues if the future is destroyed
/// \threads thread-safe   \blocks never   \cost one allocation
/// \ingroup tasks
template <class F, class... Args>
requires std::is_invocable_v<std::decay_t<F>, std::decay_t<Args>...>
auto async(F&& f, Args&&... args) {
  using Result = std::invoke_result_t<std::decay_t<F>, std::decay_t<Args>...>;
  using Value = typename exec::Unwrapped<Result>::type;
  using State = exec::CallState<Value, std::decay_t<F>, std::decay_t<Args>...>;
  auto* const state = new State(std::forward<F>(f), std::forward<Args>(args)...);
  auto result = exec::StatePtr<exec::ValueState<Value>>::share(state);
  exec::announce_job();
  exec::submit_job(*state);
  return Future<Value>(std::move(result));
}

}  // namespace dash
