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

/// A call that runs as a job, and what becomes of it, in one allocation. The executor owns one
/// reference until it has run.
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
  std::atomic<bool> _begun{false};
};

}  // namespace exec

/// Starts f(args...) as a task of this unit. The function and its arguments are copied, or moved, as
/// std::async does; use std::ref for references.
///
/// A task may wait, for futures, transfers and other units: it is set aside meanwhile, and its
/// thread runs others. So it may go on on another thread than it began, and no mutex may be held
/// over a wait. It runs on a worker of the unit; where the unit has one processor, when a thread
/// waits, calls `dart_progress()` or tests, and at the latest in `dash::finalize`.
/// \returns the future of its result; if that is a future, the future of its value. It fails with
///          the exception that the function throws. Dropping it lets the task go on
/// \threads any   \blocks never   \cost one allocation
template <class F, class... Args>
requires std::is_invocable_v<std::decay_t<F>, std::decay_t<Args>...>
auto async(F&& f, Args&&... args) {
  using Result = std::invoke_result_t<std::decay_t<F>, std::decay_t<Args>...>;
  using Value = typename exec::Unwrapped<Result>::type;
  using State = exec::CallState<Value, std::decay_t<F>, std::decay_t<Args>...>;
  auto* const state = new State(std::forward<F>(f), std::forward<Args>(args)...);
  auto result = exec::StatePtr<exec::ValueState<Value>>::share(state);
  exec::expect_job();
  exec::submit_job(*state);
  return Future<Value>(std::move(result));
}

}  // namespace dash
