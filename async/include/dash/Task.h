#pragma once

#include <coroutine>
#include <exception>
#include <type_traits>
#include <utility>

#include "dash/Future.h"

namespace dash {

template <class T>
class Task;

namespace exec {

[[noreturn]] DASH_API void throw_empty_task(const char* called);

template <class T>
class TaskPromise;

/// The coroutine of a Task: a frame that lives until nobody needs its value, being that state.
template <class T>
class TaskFrame : public ValueState<T> {
 public:
  using Handle = std::coroutine_handle<TaskPromise<T>>;

  Task<T> get_return_object() noexcept { return Task<T>(handle()); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { _failure = std::current_exception(); }

  /// At its end the coroutine goes on with the one that awaits it, or else it becomes ready.
  struct End {
    bool await_ready() const noexcept { return false; }
    // Not inlined: the frame, which this is in, may be gone before it returns.
    [[gnu::noinline]] std::coroutine_handle<> await_suspend(Handle ended) const noexcept {
      return ended.promise().end();
    }
    void await_resume() const noexcept {}
  };
  End final_suspend() const noexcept { return {}; }

  /// Before it begins: whom to go on with, and what depends on it.
  template <class Promise>
  void set_awaiting(std::coroutine_handle<Promise> coroutine) noexcept {
    _awaiting = coroutine;
    if constexpr (requires { coroutine.promise().outcome(); })
      _outcome = coroutine.promise().outcome();
  }
  void set_started() noexcept { _outcome = this; }
  /// The state that is done last of those who await each other, if all of them are tasks.
  State* outcome() const noexcept { return _outcome; }
  Handle handle() noexcept { return Handle::from_promise(static_cast<TaskPromise<T>&>(*this)); }
  /// \pre it has ended
  T take() {
    if (_failure != nullptr) std::rethrow_exception(_failure);
    if constexpr (!std::is_void_v<T>) return std::move(this->value());
  }

 protected:
  void destroy() noexcept override { handle().destroy(); }

 private:
  std::coroutine_handle<> end() noexcept {
    if (_awaiting) return _awaiting;
    if (_failure != nullptr) {
      this->fail(std::move(_failure));
    } else {
      this->complete();
    }
    this->release();
    return std::noop_coroutine();
  }

  std::coroutine_handle<> _awaiting;
  State* _outcome = nullptr;
  std::exception_ptr _failure;
};

template <class T>
class TaskPromise final : public TaskFrame<T> {
 public:
  template <class U = T>
  void return_value(U&& value) {
    this->_value.emplace(std::forward<U>(value));
  }
};
template <>
class TaskPromise<void> final : public TaskFrame<void> {
 public:
  void return_void() { this->_value.emplace(); }
};

}  // namespace exec

/// A coroutine that computes a T:
///
///     dash::Task<double> norm(dash::Array<double>& array) {
///       std::vector<double> part(array.size());
///       co_await dash::copy_async(array.begin(), array.end(), part.data());
///       co_return std::sqrt(std::inner_product(part.begin(), part.end(), part.begin(), 0.0));
///     }
///
/// It begins when another coroutine awaits it (`co_await norm(a)`), which goes on where it ends, or
/// when it is started (`norm(a).start()`). It runs on the thread that does so up to its first
/// co_await of something that is not ready, and goes on from there as a continuation does: on a
/// thread that waits or enters the library, or on the executor. So no mutex may be held over a
/// co_await. A task that never begins is destroyed with its Task.
///
/// Parameters by reference, and what a lambda captures, have to live until the coroutine has ended.
/// \threads one at a time per object
/// \cost one allocation at most, pooled up to 768 bytes
template <class T>
class [[nodiscard]] Task {
 public:
  using promise_type = exec::TaskPromise<T>;
  using value_type = T;

  /// No coroutine: valid() is false.
  Task() noexcept = default;
  Task(Task&& other) noexcept : _coroutine(std::exchange(other._coroutine, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      reset();
      _coroutine = std::exchange(other._coroutine, nullptr);
    }
    return *this;
  }
  ~Task() { reset(); }

  bool valid() const noexcept { return static_cast<bool>(_coroutine); }

  /// Begins it on the calling thread; consumes the task.
  /// \returns the future of its value, ready if it has not had to wait. Dropping it lets the task
  ///          go on
  Future<T> start() {
    if (!_coroutine) exec::throw_empty_task("start");
    const auto coroutine = std::exchange(_coroutine, nullptr);
    // The reference that the frame was made with is given up by its end.
    auto state = exec::StatePtr<exec::ValueState<T>>::share(&coroutine.promise());
    coroutine.promise().set_started();
    coroutine.resume();
    return Future<T>(std::move(state));
  }

  /// Begins it in another coroutine, which goes on with its value as soon as there is one.
  /// \throws what it ends with
  auto operator co_await() && {
    if (!_coroutine) exec::throw_empty_task("co_await");
    return Awaiter{std::move(*this)};
  }

 private:
  friend class exec::TaskFrame<T>;
  using Handle = std::coroutine_handle<promise_type>;

  struct Awaiter {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> awaiting) noexcept {
      task._coroutine.promise().set_awaiting(awaiting);
      return task._coroutine;
    }
    T await_resume() { return task._coroutine.promise().take(); }
    Task task;
  };

  explicit Task(Handle coroutine) noexcept : _coroutine(coroutine) {}
  void reset() noexcept {
    if (_coroutine) std::exchange(_coroutine, nullptr).promise().release();
  }

  Handle _coroutine;
};

}  // namespace dash
