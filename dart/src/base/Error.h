#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "dash/Exception.h"
#include "dash/async/Watch.h"
#include "dash/core/Trace.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// An error of this layer other than DART_ERR_INVAL, which is an exception::InvalidArgument: the code
/// that the C function returns, and the text of dart_last_error.
class Error : public exception::RuntimeError {
 public:
  Error(dart_ret_t code, const std::string& text) : RuntimeError(text), _code(code) {}
  dart_ret_t code() const noexcept { return _code; }

 private:
  dart_ret_t _code;
};

/// \throws exception::InvalidArgument if the code is DART_ERR_INVAL, otherwise Error
[[noreturn]] void throw_error_text(dart_ret_t code, const std::string& text);

template <class... Args>
[[noreturn]] void throw_error(dart_ret_t code, fmt::format_string<Args...> format, Args&&... args) {
  throw_error_text(code, fmt::format(format, std::forward<Args>(args)...));
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

}  // namespace dash::dart
