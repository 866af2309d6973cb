#pragma once

#include <concepts>
#include <ostream>
#include <sstream>
#include <string>

#include "dash/core/Log.h"
#include "dash/internal/Macro.h"

// The macros DASH_LOG_*. They are compiled if DASH_ENABLE_LOGGING is defined, those of the level TRACE if
// DASH_ENABLE_TRACE_LOGGING is defined, too; otherwise their arguments are discarded. At run time,
// DART_LOG_LEVEL and enable_log, disable_log decide which of them write.

namespace dash::internal::logging {

/// Enables the log output of this process. \threads thread-safe
inline void enable_log() noexcept {
  core::set_log_enabled(true);
}

/// Disables the log output of this process, including that of DASH_THROW. \threads thread-safe
inline void disable_log() noexcept {
  core::set_log_enabled(false);
}

template <class T>
concept Streamable = requires(std::ostream& os, const T& value) {
  { os << value } -> std::convertible_to<std::ostream&>;
};

template <class T>
concept Iterable = requires(const T& range) {
  range.begin() != range.end();
  *range.begin();
};

/// Writes a value of any type. Without operator<<, writes the list of its elements, or a placeholder.
template <class T>
void write_item(std::ostream& os, const T& value) {
  if constexpr (Streamable<T>) {
    os << value;
  } else if constexpr (Iterable<T>) {
    os << "{";
    for (auto it = value.begin(); it != value.end(); ++it) {
      os << ' ';
      write_item(os, *it);
    }
    os << " }";
  } else {
    os << "(no text)";
  }
}

/// The output of `write_item` as a string.
template <class T>
std::string to_text(const T& value) {
  std::ostringstream os;
  write_item(os, value);
  return os.str();
}

/// One line "context | item item ...".
template <class Context, class... Items>
void log_items(core::LogLevel level, const Context& context, const Items&... items) {
  std::ostringstream os;
  write_item(os, context);
  if constexpr (sizeof...(Items) > 0) {
    os << " |";
    ((os << ' ', write_item(os, items)), ...);
  }
  core::log(level, os.str());
}

/// One line "context | name: value".
template <class Context, class T>
void log_variable(core::LogLevel level, const Context& context, const char* name, const T& value) {
  std::ostringstream os;
  write_item(os, context);
  os << " | " << name << ": ";
  write_item(os, value);
  core::log(level, os.str());
}

/// One line "context | begin, end: { ... }".
template <class Context, class Iterator, class Sentinel>
void log_range(core::LogLevel level, const Context& context, const char* name, Iterator begin,
               const Sentinel& end) {
  std::ostringstream os;
  write_item(os, context);
  os << " | " << name << ": {";
  for (; begin != end; ++begin) {
    os << ' ';
    // By value: the iterator may return a proxy, like iterators over global memory.
    const auto element = *begin;
    write_item(os, element);
  }
  os << " }";
  core::log(level, os.str());
}

}  // namespace dash::internal::logging

#define DASH_INTERNAL_LOG(level, ...)                                                   \
  do {                                                                                  \
    if (::dash::core::log_enabled(::dash::core::LogLevel::level)) {                     \
      ::dash::internal::logging::log_items(::dash::core::LogLevel::level, __VA_ARGS__); \
    }                                                                                   \
  } while (0)

#define DASH_INTERNAL_LOG_VAR(level, context, var)                                                \
  do {                                                                                            \
    if (::dash::core::log_enabled(::dash::core::LogLevel::level)) {                               \
      ::dash::internal::logging::log_variable(::dash::core::LogLevel::level, context, #var, var); \
    }                                                                                             \
  } while (0)

#define DASH_INTERNAL_LOG_RANGE(level, context, begin, end)                        \
  do {                                                                             \
    if (::dash::core::log_enabled(::dash::core::LogLevel::level)) {                \
      ::dash::internal::logging::log_range(::dash::core::LogLevel::level, context, \
                                           #begin ", " #end, begin, end);          \
    }                                                                              \
  } while (0)

#define DASH_INTERNAL_NO_LOG() \
  do {                         \
  } while (0)

#if defined(DASH_ENABLE_LOGGING)
#define DASH_LOG_ERROR(...) DASH_INTERNAL_LOG(error, __VA_ARGS__)
#define DASH_LOG_WARN(...) DASH_INTERNAL_LOG(warn, __VA_ARGS__)
#define DASH_LOG_INFO(...) DASH_INTERNAL_LOG(info, __VA_ARGS__)
#define DASH_LOG_DEBUG(...) DASH_INTERNAL_LOG(debug, __VA_ARGS__)
#define DASH_LOG_ERROR_VAR(context, var) DASH_INTERNAL_LOG_VAR(error, context, var)
#define DASH_LOG_WARN_VAR(context, var) DASH_INTERNAL_LOG_VAR(warn, context, var)
#define DASH_LOG_INFO_VAR(context, var) DASH_INTERNAL_LOG_VAR(info, context, var)
#define DASH_LOG_DEBUG_VAR(context, var) DASH_INTERNAL_LOG_VAR(debug, context, var)
#else
#define DASH_LOG_ERROR(...) DASH_INTERNAL_NO_LOG()
#define DASH_LOG_WARN(...) DASH_INTERNAL_NO_LOG()
#define DASH_LOG_INFO(...) DASH_INTERNAL_NO_LOG()
#define DASH_LOG_DEBUG(...) DASH_INTERNAL_NO_LOG()
#define DASH_LOG_ERROR_VAR(context, var) DASH_INTERNAL_NO_LOG()
#define DASH_LOG_WARN_VAR(context, var) DASH_INTERNAL_NO_LOG()
#define DASH_LOG_INFO_VAR(context, var) DASH_INTERNAL_NO_LOG()
#define DASH_LOG_DEBUG_VAR(context, var) DASH_INTERNAL_NO_LOG()
#endif

#if defined(DASH_ENABLE_LOGGING) && defined(DASH_ENABLE_TRACE_LOGGING)
#define DASH_LOG_TRACE(...) DASH_INTERNAL_LOG(trace, __VA_ARGS__)
#define DASH_LOG_TRACE_VAR(context, var) DASH_INTERNAL_LOG_VAR(trace, context, var)
#define DASH_LOG_TRACE_RANGE(context, begin, end) \
  DASH_INTERNAL_LOG_RANGE(trace, context, begin, end)
#else
#define DASH_LOG_TRACE(...) DASH_INTERNAL_NO_LOG()
#define DASH_LOG_TRACE_VAR(context, var) DASH_INTERNAL_NO_LOG()
#define DASH_LOG_TRACE_RANGE(context, begin, end) DASH_INTERNAL_NO_LOG()
#endif
