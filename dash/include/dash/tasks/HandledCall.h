#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/Future.h"
#include "dash/async/ValueState.h"
#include "dash/core/Export.h"

namespace dash::tasks::internal {

/// The error of the future of a task that was cancelled before it began.
DASH_API std::exception_ptr cancelled_before_begin();

/// The function of a task and the future of its result.
template <class F>
class HandledCall {
 public:
  using Result = std::invoke_result_t<F&>;

  template <class G>
  explicit HandledCall(G&& f)
      : _f(std::in_place, std::forward<G>(f)),
        _result(State::adopt(new exec::ValueState<Result>())) {}
  HandledCall(HandledCall&&) noexcept(std::is_nothrow_move_constructible_v<F>) = default;
  HandledCall& operator=(HandledCall&&) = delete;
  /// A cancelled task destroys its function without calling it.
  ~HandledCall() {
    if (_result && !_result->done()) _result->fail(cancelled_before_begin());
  }

  Future<Result> future() const { return Future<Result>(_result); }

  /// \throws the exception of the function, for the task graph
  void operator()() {
    _result->set_result_of([this]() -> Result { return (*_f)(); }, [this] { _f.reset(); });
    if (_result->failed()) std::rethrow_exception(_result->error());
  }

 private:
  using State = exec::StatePtr<exec::ValueState<Result>>;

  std::optional<F> _f;
  State _result;
};

}  // namespace dash::tasks::internal
