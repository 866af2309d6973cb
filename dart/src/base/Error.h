#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "dash/Exception.h"
#include "dash/async/Watch.h"
#include "dash/core/Trace.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// An error of this layer: the code that the C function returns, and the text of dart_last_error.
class Error : public std::runtime_error {
 public:
  Error(dart_ret_t code, const std::string& text) : std::runtime_error(text), _code(code) {}
  dart_ret_t code() const noexcept { return _code; }

 private:
  dart_ret_t _code;
};

template <class... Args>
[[noreturn]] void throw_error(dart_ret_t code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

/// Sets the calling thread's last error.
dart_ret_t set_last_error(dart_ret_t code, std::string text) noexcept;
/// Sets the last error to the exception being handled.
dart_ret_t set_last_error_from_exception(const char* function) noexcept;

/// Runs the body of a C function, and turns exceptions into a return code.
template <class Body>
dart_ret_t guarded(const char* function, Body&& body) noexcept {
  const core::TraceSpan span(core::TraceKind::call, function);
  const exec::Activity activity(exec::Activity::Kind::call, function);
  try {
    std::forward<Body>(body)();
    return DART_OK;
  } catch (...) {
    return set_last_error_from_exception(function);
  }
}

/// Runs the body of a C++ function, and turns errors of this layer into exceptions of the public
/// interface.
template <class Body>
auto translated(Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.code() == DART_ERR_INVAL) throw exception::InvalidArgument(error.what());
    throw exception::RuntimeError(error.what());
  }
}

}  // namespace dash::dart
