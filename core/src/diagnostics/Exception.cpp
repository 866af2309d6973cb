#include "dash/Exception.h"

#include <cstring>

#include "dash/core/Log.h"

namespace dash::exception {

RuntimeError::~RuntimeError() = default;
Cancelled::~Cancelled() = default;
Remote::~Remote() = default;
InvalidArgument::~InvalidArgument() = default;
OutOfRange::~OutOfRange() = default;
NotImplemented::~NotImplemented() = default;
AssertionFailed::~AssertionFailed() = default;

namespace detail {

std::string report(const char* type, const char* file, int line, const std::string& text) {
  if (core::log_enabled(core::LogLevel::error)) {
    const char* slash = std::strrchr(file, '/');
    const char* name = slash == nullptr ? file : slash + 1;
    core::log(core::LogLevel::error,
              std::string(type) + ": " + text + " (" + name + ":" + std::to_string(line) + ")");
  }
  return "[ Unit " + std::to_string(core::log_unit()) + " ] " + text;
}

}  // namespace detail
}  // namespace dash::exception
