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

/// Promise type of a Task. The coroutine frame is also the state of the task: it lives until the
/// value is no longer referenced.
template <class T>
class TaskFrame : public ValueState<T> {
 public:
  using Handle = std::coroutine_handle<TaskPromise<T>>;

  Task<T> get_return_object() noexcept { return Task<T>(handle()); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { _failure = std::current_exception(); }

  /// At its end, the coroutine resumes the one that awaits it or, if there is none, completes its state.
  struct End {
    bool await_ready() const noexcept { return false; }
    // Not inlined: the frame, which contains this object, may be destroyed before the call returns.
    [[gnu::noinline]] std::coroutine_handle<> await_suspend(Handle ended) const noexcept {
      return ended.promise().end();
    }
    void await_resume() const noexcept {}
  };
  End final_suspend() const noexcept { return {}; }

  /// Sets the coroutine to resume at the end, and the state that depends on this one. Called before the
  /// start.
  template <class Promise>
  void set_awaiting(std::coroutine_handle<Promise> coroutine) noexcept {
    _awaiting = coroutine;
    if constexpr (requires { coroutine.promise().outcome(); })
      _outcome = coroutine.promise().outcome();
  }
  void set_started() noexcept { _outcome = this; }
  /// The state of the outermost task of a chain of tasks that await each other.
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
/// It starts when another coroutine awaits it (`co_await norm(a)`), which is resumed at its end, or when
/// `norm(a).start()` is called. It runs on that thread until it awaits a future that is not ready. It then
/// continues like a continuation: on a thread that waits or enters the library, or on the executor. So a
/// coroutine must not hold a mutex across a co_await. A coroutine that never starts is destroyed with its
/// Task.
///
/// Parameters by reference, and the captures of a lambda, must stay valid until the coroutine has ended.
/// \tparam T  type of the value, or void
/// \threads externally synchronized per object
/// \cost one allocation at most, pooled up to 768 bytes
/// \ingroup futures
template <class T>
class [[nodiscard]] Task {
 public:
  /// Required by the compiler for coroutines that return a Task.
  using promise_type = exec::TaskPromise<T>;
  using value_type = T;

  /// No coroutine: valid() is false.
  Task() noexcept = default;
  /// Moves the coroutine; `other` becomes invalid.
  Task(Task&& other) noexcept : _coroutine(std::exchange(other._coroutine, nullptr)) {}
  /// Moves the coroutine; `other` becomes invalid. Destroys the previous coroutine of this task.
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      reset();
      _coroutine = std::exchange(other._coroutine, nullptr);
    }
    return *this;
  }
  /// Destroys a coroutine that has not been started.
  ~Task() { reset(); }

  /// Whether there is a coroutine that has not been started.
  bool valid() const noexcept { return static_cast<bool>(_coroutine); }

  /// Starts the coroutine on the calling thread. Consumes the task.
  /// \returns a future of its value, which is ready if the coroutine has not had to wait. The coroutine
  ///          continues if the future is destroyed
  Future<T> start() {
    if (!_coroutine) exec::throw_empty_task("start");
    const auto coroutine = std::exchange(_coroutine, nullptr);
    // The end of the coroutine releases the initial reference of the frame.
    auto state = exec::StatePtr<exec::ValueState<T>>::share(&coroutine.promise());
    coroutine.promise().set_started();
    coroutine.resume();
    return Future<T>(std::move(state));
  }

  /// Starts the coroutine from another one, which continues with its value.
  /// \throws the exception that the coroutine throws
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
