#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>

namespace dash::dart {

/// The coroutine of an exchange between leaders. It runs only when resume() is called.
/// \tparam Exchange  owner of the frame's memory: one frame at a time, so that an exchange needs no
///                   allocation
/// \threads externally synchronized
template <class Exchange>
class [[nodiscard]] ExchangeCoroutine {
 public:
  struct promise_type {
    std::exception_ptr error;

    template <class... Args>
    static void* operator new(std::size_t nbytes, Exchange& exchange, const Args&... /*args*/) {
      return exchange.frame_memory(nbytes);
    }
    static void operator delete(void* /*frame*/, std::size_t /*nbytes*/) noexcept {}

    ExchangeCoroutine get_return_object() noexcept {
      return ExchangeCoroutine(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { error = std::current_exception(); }
  };

  ExchangeCoroutine() noexcept = default;
  ExchangeCoroutine(ExchangeCoroutine&& other) noexcept
      : _handle(std::exchange(other._handle, nullptr)) {}
  ExchangeCoroutine& operator=(ExchangeCoroutine&& other) noexcept {
    std::swap(_handle, other._handle);
    return *this;
  }
  ExchangeCoroutine(const ExchangeCoroutine&) = delete;
  ExchangeCoroutine& operator=(const ExchangeCoroutine&) = delete;
  ~ExchangeCoroutine() { reset(); }

  explicit operator bool() const noexcept { return static_cast<bool>(_handle); }

  /// Runs to the next suspension or to the end, after which no frame is left.
  /// \throws what the coroutine threw
  void resume() {
    _handle.resume();
    if (!_handle.done()) return;
    const std::exception_ptr error = std::move(_handle.promise().error);
    reset();
    if (error != nullptr) std::rethrow_exception(error);
  }

 private:
  explicit ExchangeCoroutine(std::coroutine_handle<promise_type> handle) noexcept
      : _handle(handle) {}
  void reset() noexcept {
    if (_handle) std::exchange(_handle, nullptr).destroy();
  }
  std::coroutine_handle<promise_type> _handle;
};

}  // namespace dash::dart
