#pragma once

#include <coroutine>
#include <exception>
#include <utility>

#include "dash/async/Operation.h"

namespace dash::dart {

/// Something that starts operations and goes on when they are complete: written as a function that
/// waits by co_await, and driven by whoever polls. It never runs on its own.
/// \threads one at a time
class [[nodiscard]] PolledCoroutine {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type {
    exec::Operation awaited;
    std::exception_ptr error;

    PolledCoroutine get_return_object() noexcept { return PolledCoroutine(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { error = std::current_exception(); }

    /// Throws what the operation failed with.
    struct Wait {
      exec::Operation& operation;
      bool await_ready() const noexcept { return operation.done(); }
      void await_suspend(std::coroutine_handle<> /*self*/) const noexcept {}
      void await_resume() const {
        if (operation.state() && operation.state()->failed())
          std::rethrow_exception(operation.state()->error());
      }
    };
    Wait await_transform(const exec::Operation& operation) noexcept {
      awaited = operation;
      return Wait{awaited};
    }
  };

  PolledCoroutine() noexcept = default;
  PolledCoroutine(PolledCoroutine&& other) noexcept : _handle(std::exchange(other._handle, nullptr)) {}
  PolledCoroutine& operator=(PolledCoroutine&& other) noexcept {
    std::swap(_handle, other._handle);
    return *this;
  }
  PolledCoroutine(const PolledCoroutine&) = delete;
  PolledCoroutine& operator=(const PolledCoroutine&) = delete;
  ~PolledCoroutine() {
    if (_handle) _handle.destroy();
  }

  explicit operator bool() const noexcept { return static_cast<bool>(_handle); }
  bool ended() const noexcept { return _handle.done(); }

  /// Goes on if what it waits for is complete. \returns whether it has
  /// \throws what it ends with
  bool advance() {
    if (!_handle.promise().awaited.done()) return false;
    _handle.resume();
    if (_handle.done() && _handle.promise().error != nullptr)
      std::rethrow_exception(std::exchange(_handle.promise().error, nullptr));
    return true;
  }

  /// Drives it to its end. \blocks until then
  void run() {
    while (!_handle.done()) {
      const exec::StatePtr<exec::State>& state = _handle.promise().awaited.state();
      if (state) state->wait();
      advance();
    }
  }

 private:
  explicit PolledCoroutine(Handle handle) noexcept : _handle(handle) {}
  Handle _handle;
};

}  // namespace dash::dart
