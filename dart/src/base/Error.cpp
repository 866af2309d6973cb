#include "base/Error.h"

#include <new>

#include "dash/core/Log.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_initialization.h"

namespace dash::dart {

namespace {
std::string& last_error_text() {
  thread_local std::string text;
  return text;
}
}  // namespace

void throw_error_text(dart_ret_t code, const std::string& text) {
  if (code == DART_ERR_INVAL) throw exception::InvalidArgument(text);
  throw Error(code, text);
}

dart_ret_t set_last_error(dart_ret_t code, std::string text) noexcept {
  core::log(core::LogLevel::debug, text);
  last_error_text() = std::move(text);
  return code;
}

dart_ret_t set_last_error_from_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return set_last_error(error.code(), fmt::format("{}: {}", function, error.what()));
  } catch (const exception::InvalidArgument& error) {
    return set_last_error(DART_ERR_INVAL, fmt::format("{}: {}", function, error.what()));
  } catch (const std::bad_alloc&) {
    return set_last_error(DART_ERR_NOMEM, fmt::format("{}: out of memory", function));
  } catch (const std::exception& error) {
    return set_last_error(DART_ERR_OTHER, fmt::format("{}: {}", function, error.what()));
  } catch (...) {
    return set_last_error(DART_ERR_OTHER, fmt::format("{}: unknown error", function));
  }
}

void throw_last_error(dart_ret_t code, const char* operation) {
  throw_error(code, "{}: {}", operation, last_error_text());
}

}  // namespace dash::dart

extern "C" const char* dart_last_error(void) noexcept {
  return dash::dart::last_error_text().c_str();
}
