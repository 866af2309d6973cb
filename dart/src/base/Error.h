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

/// An error on its way to the C interface: the code to return and the text of dart_last_error.
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

/// Records the calling thread's last error.
dart_ret_t set_last_error(dart_ret_t code, std::string text) noexcept;
/// The same for the exception being handled.
dart_ret_t set_last_error_from_exception(const char* function) noexcept;

/// Runs the body of a C function: no exception leaves it.
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

/// Errors of this layer's own kind become the ones that C++ callers know.
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
