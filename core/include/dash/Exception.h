#pragma once

/// \file
/// Exceptions, assertions, and stack traces.

#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "dash/core/Export.h"
#include "dash/internal/Logging.h"
#include "dash/internal/Macro.h"

/// Exceptions that the library throws.
namespace dash::exception {

/// A failure at run time for which there is no other class.
/// \ingroup utilities
class DASH_API RuntimeError : public std::runtime_error {
 public:
  /// \param message  the text that what() returns
  explicit RuntimeError(const std::string& message) : std::runtime_error(message) {}
  /// \cond internal
  RuntimeError(const RuntimeError&) = default;
  RuntimeError& operator=(const RuntimeError&) = default;
  ~RuntimeError()
      override;  // the destructors are in the library, so that each class has one vtable
  /// \endcond
};

/// An argument that the function does not accept.
/// \ingroup utilities
class DASH_API InvalidArgument : public RuntimeError {
 public:
  /// \param message  the text that what() returns
  explicit InvalidArgument(const std::string& message) : RuntimeError(message) {}
  /// \cond internal
  InvalidArgument(const InvalidArgument&) = default;
  InvalidArgument& operator=(const InvalidArgument&) = default;
  ~InvalidArgument() override;
  /// \endcond
};

/// An index or a size outside of its range.
/// \ingroup utilities
class DASH_API OutOfRange : public std::out_of_range {
 public:
  /// \param message  the text that what() returns
  explicit OutOfRange(const std::string& message) : std::out_of_range(message) {}
  /// \cond internal
  OutOfRange(const OutOfRange&) = default;
  OutOfRange& operator=(const OutOfRange&) = default;
  ~OutOfRange() override;
  /// \endcond
};

/// A part of the interface that is not implemented. The library never throws it; it exists for
/// source compatibility with DASH.
/// \ingroup utilities
class DASH_API NotImplemented : public std::runtime_error {
 public:
  /// \param message  the text that what() returns
  explicit NotImplemented(const std::string& message) : std::runtime_error(message) {}
  /// \cond internal
  NotImplemented(const NotImplemented&) = default;
  NotImplemented& operator=(const NotImplemented&) = default;
  ~NotImplemented() override;
  /// \endcond
};

/// A computation that was cancelled before it began.
/// \ingroup utilities
class DASH_API Cancelled : public RuntimeError {
 public:
  /// \param message  the text that what() returns
  explicit Cancelled(const std::string& message) : RuntimeError(message) {}
  /// \cond internal
  Cancelled(const Cancelled&) = default;
  Cancelled& operator=(const Cancelled&) = default;
  ~Cancelled() override;
  /// \endcond
};

/// An exception of another unit whose type is not registered there (dash::register_exception), or not on this unit.
/// \ingroup utilities
class DASH_API Remote : public RuntimeError {
 public:
  /// \param unit     global id of the unit
  /// \param message  the text that what() returns
  Remote(int unit, const std::string& message) : RuntimeError(message), _unit(unit) {}
  /// \cond internal
  Remote(const Remote&) = default;
  Remote& operator=(const Remote&) = default;
  ~Remote() override;
  /// \endcond

  /// Global id of the unit on which the exception was thrown.
  int unit() const noexcept { return _unit; }

 private:
  int _unit;
};

/// A condition of DASH_ASSERT* did not hold.
/// \ingroup utilities
class DASH_API AssertionFailed : public std::runtime_error {
 public:
  /// \param message  the text that what() returns
  explicit AssertionFailed(const std::string& message) : std::runtime_error(message) {}
  /// \cond internal
  AssertionFailed(const AssertionFailed&) = default;
  AssertionFailed& operator=(const AssertionFailed&) = default;
  ~AssertionFailed() override;
  /// \endcond
};

namespace detail {

/// Formats the message of an exception, prefixed with the unit, and logs it as an error.
DASH_API std::string report(const char* type, const char* file, int line, const std::string& text);

// Compare integers by their mathematical values, so that assertions may compare signed and unsigned ones.
template <class T>
inline constexpr bool is_plain_integer =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char> &&
    !std::is_same_v<T, wchar_t> && !std::is_same_v<T, char8_t> && !std::is_same_v<T, char16_t> &&
    !std::is_same_v<T, char32_t>;

template <class A, class B>
constexpr bool less(const A& a, const B& b) {
  if constexpr (is_plain_integer<A> && is_plain_integer<B>) {
    return std::cmp_less(a, b);
  } else {
    return a < b;
  }
}

template <class A, class B>
constexpr bool equal(const A& a, const B& b) {
  if constexpr (is_plain_integer<A> && is_plain_integer<B>) {
    return std::cmp_equal(a, b);
  } else {
    return a == b;
  }
}

}  // namespace detail
}  // namespace dash::exception

/// Prints a stack trace, starting with the caller, of at most `max_frames` frames.
/// \threads thread-safe
/// \ingroup utilities
DASH_API void dash__print_stacktrace(std::FILE* out = stderr, unsigned max_frames = 63);

/// Prints a stack trace to the standard error stream.
/// \ingroup utilities
#define DASH_STACK_TRACE() ::dash__print_stacktrace()

/// Throws `type` with the text "[ Unit <id> ] " and then what `stream_expr` writes to a stream;
/// also logs it.
/// \ingroup utilities
#define DASH_THROW(type, stream_expr)                                                          \
  do {                                                                                         \
    std::ostringstream dash_throw_text_;                                                       \
    dash_throw_text_ << stream_expr;                                                           \
    throw type(                                                                                \
        ::dash::exception::detail::report(#type, __FILE__, __LINE__, dash_throw_text_.str())); \
  } while (0)

/// \name Assertions
/// The ones with ALWAYS check in every build, the others with DASH_ENABLE_ASSERTIONS only. Without it,
/// DASH_ASSERT and DASH_ASSERT_MSG do not evaluate their arguments; those that compare values do. `msg` is
/// written to a stream, and may consist of several items separated by `<<`.
/// \throws exception::OutOfRange in DASH_ASSERT_RANGE and the comparisons by <, <=, > and >=;
///         exception::AssertionFailed in the others
/// @{

/// \def DASH_ASSERT_MSG_ALWAYS(expr, msg)
/// Checks a condition in every build; the message contains `msg`.
/// \ingroup utilities

/// \def DASH_ASSERT_ALWAYS(expr)
/// Checks a condition in every build.
/// \ingroup utilities

/// \def DASH_ASSERT(expr)
/// Checks a condition.
/// \ingroup utilities

/// \def DASH_ASSERT_MSG(expr, msg)
/// Checks a condition; the message contains `msg`.
/// \ingroup utilities

/// \def DASH_ASSERT_RETURNS(expr, value)
/// Evaluates an expression in every build, and checks that it equals a value.
/// \ingroup utilities

/// \def DASH_ASSERT_RANGE(lower, value, upper, msg)
/// Checks that lower <= value <= upper.
/// \ingroup utilities

/// \def DASH_ASSERT_EQ(a, b, msg)
/// Checks that a == b.
/// \ingroup utilities

/// \def DASH_ASSERT_NE(a, b, msg)
/// Checks that a != b.
/// \ingroup utilities

/// \def DASH_ASSERT_GT(value, bound, msg)
/// Checks that value > bound.
/// \ingroup utilities

/// \def DASH_ASSERT_GE(value, bound, msg)
/// Checks that value >= bound.
/// \ingroup utilities

/// \def DASH_ASSERT_LT(value, bound, msg)
/// Checks that value < bound.
/// \ingroup utilities

/// \def DASH_ASSERT_LE(value, bound, msg)
/// Checks that value <= bound.
/// \ingroup utilities
/// @}

/// \def DASH_ASSERT_NOEXCEPT
/// `noexcept` if assertions are disabled, else nothing.
/// \ingroup utilities

/// \def DASH_NOEXCEPT
/// `noexcept` if assertions are disabled, else nothing.
/// \ingroup utilities

/// \def DASH_CONSTEXPR
/// `constexpr` if assertions are disabled, else nothing.
/// \ingroup utilities

#define DASH_ASSERT_MSG_ALWAYS(expr, msg)                                                         \
  do {                                                                                            \
    if (!(expr)) {                                                                                \
      DASH_THROW(::dash::exception::AssertionFailed, "Assertion failed: " << #expr << ": " << msg \
                                                                          << " (" __FILE__ ":"    \
                                                                          << __LINE__ << ")");    \
    }                                                                                             \
  } while (0)

#define DASH_ASSERT_ALWAYS(expr)                                                         \
  do {                                                                                   \
    if (!(expr)) {                                                                       \
      DASH_THROW(::dash::exception::AssertionFailed,                                     \
                 "Assertion failed: " << #expr << " (" __FILE__ ":" << __LINE__ << ")"); \
    }                                                                                    \
  } while (0)

/// \cond internal

// `holds` refers to the two values as dash_assert_a_ and dash_assert_b_.
#define DASH_INTERNAL_COMPARE(type, holds, op, a, b, msg)                                       \
  do {                                                                                          \
    const auto& dash_assert_a_ = (a);                                                           \
    const auto& dash_assert_b_ = (b);                                                           \
    if (!(holds)) {                                                                             \
      DASH_THROW(type, "Assertion failed: "                                                     \
                           << #a " " op " " #b << ": "                                          \
                           << ::dash::internal::logging::to_text(dash_assert_a_) << " " op " "  \
                           << ::dash::internal::logging::to_text(dash_assert_b_) << ": " << msg \
                           << " (" __FILE__ ":" << __LINE__ << ")");                            \
    }                                                                                           \
  } while (0)

#define DASH_INTERNAL_EVALUATE(a, b) \
  do {                               \
    dash__unused(a);                 \
    dash__unused(b);                 \
  } while (0)

/// \endcond

#if defined(DASH_ENABLE_ASSERTIONS)

#define DASH_ASSERT(expr) DASH_ASSERT_ALWAYS(expr)
#define DASH_ASSERT_MSG(expr, msg) DASH_ASSERT_MSG_ALWAYS(expr, msg)

#define DASH_ASSERT_RETURNS(expr, value)                                                  \
  DASH_INTERNAL_COMPARE(::dash::exception::AssertionFailed,                               \
                        ::dash::exception::detail::equal(dash_assert_a_, dash_assert_b_), \
                        "==", expr, value, "unexpected result")

#define DASH_ASSERT_RANGE(lower, value, upper, msg)                                         \
  do {                                                                                      \
    const auto& dash_assert_lower_ = (lower);                                               \
    const auto& dash_assert_value_ = (value);                                               \
    const auto& dash_assert_upper_ = (upper);                                               \
    if (::dash::exception::detail::less(dash_assert_value_, dash_assert_lower_) ||          \
        ::dash::exception::detail::less(dash_assert_upper_, dash_assert_value_)) {          \
      DASH_THROW(::dash::exception::OutOfRange,                                             \
                 "Range assertion failed: " << #value " = " << dash_assert_value_           \
                                            << " is not in [" << dash_assert_lower_ << ", " \
                                            << dash_assert_upper_ << "]: " << msg           \
                                            << " (" __FILE__ ":" << __LINE__ << ")");       \
    }                                                                                       \
  } while (0)

#define DASH_ASSERT_EQ(a, b, msg)                                                                  \
  DASH_INTERNAL_COMPARE(::dash::exception::AssertionFailed,                                        \
                        ::dash::exception::detail::equal(dash_assert_a_, dash_assert_b_), "==", a, \
                        b, msg)
#define DASH_ASSERT_NE(a, b, msg)                                                          \
  DASH_INTERNAL_COMPARE(::dash::exception::AssertionFailed,                                \
                        !::dash::exception::detail::equal(dash_assert_a_, dash_assert_b_), \
                        "!=", a, b, msg)
#define DASH_ASSERT_GT(value, bound, msg)                                                     \
  DASH_INTERNAL_COMPARE(::dash::exception::OutOfRange,                                        \
                        ::dash::exception::detail::less(dash_assert_b_, dash_assert_a_), ">", \
                        value, bound, msg)
#define DASH_ASSERT_GE(value, bound, msg)                                                 \
  DASH_INTERNAL_COMPARE(::dash::exception::OutOfRange,                                    \
                        !::dash::exception::detail::less(dash_assert_a_, dash_assert_b_), \
                        ">=", value, bound, msg)
#define DASH_ASSERT_LT(value, bound, msg)                                                     \
  DASH_INTERNAL_COMPARE(::dash::exception::OutOfRange,                                        \
                        ::dash::exception::detail::less(dash_assert_a_, dash_assert_b_), "<", \
                        value, bound, msg)
#define DASH_ASSERT_LE(value, bound, msg)                                                 \
  DASH_INTERNAL_COMPARE(::dash::exception::OutOfRange,                                    \
                        !::dash::exception::detail::less(dash_assert_b_, dash_assert_a_), \
                        "<=", value, bound, msg)

// Functions with assertions may throw: they are neither noexcept nor, before C++20, constexpr.
#define DASH_ASSERT_NOEXCEPT
#define DASH_NOEXCEPT
#define DASH_CONSTEXPR

#else  // DASH_ENABLE_ASSERTIONS

#define DASH_ASSERT(expr) \
  do {                    \
  } while (0)
#define DASH_ASSERT_MSG(expr, msg) \
  do {                             \
  } while (0)
#define DASH_ASSERT_RETURNS(expr, value) DASH_INTERNAL_EVALUATE(expr, value)
#define DASH_ASSERT_RANGE(lower, value, upper, msg) \
  do {                                              \
    dash__unused(lower);                            \
    dash__unused(value);                            \
    dash__unused(upper);                            \
  } while (0)
#define DASH_ASSERT_EQ(a, b, msg) DASH_INTERNAL_EVALUATE(a, b)
#define DASH_ASSERT_NE(a, b, msg) DASH_INTERNAL_EVALUATE(a, b)
#define DASH_ASSERT_GT(value, bound, msg) DASH_INTERNAL_EVALUATE(value, bound)
#define DASH_ASSERT_GE(value, bound, msg) DASH_INTERNAL_EVALUATE(value, bound)
#define DASH_ASSERT_LT(value, bound, msg) DASH_INTERNAL_EVALUATE(value, bound)
#define DASH_ASSERT_LE(value, bound, msg) DASH_INTERNAL_EVALUATE(value, bound)

#define DASH_ASSERT_NOEXCEPT noexcept
#define DASH_NOEXCEPT noexcept
#define DASH_CONSTEXPR constexpr

#endif  // DASH_ENABLE_ASSERTIONS
