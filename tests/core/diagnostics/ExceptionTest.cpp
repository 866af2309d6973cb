// dash-test: serial
#define DASH_ENABLE_ASSERTIONS 1
#include "dash/Exception.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include "core/diagnostics/StderrCapture.h"
#include "support/Catch.h"

namespace ex = dash::exception;

static_assert(std::is_base_of_v<std::runtime_error, ex::RuntimeError>);
static_assert(std::is_base_of_v<ex::RuntimeError, ex::InvalidArgument>);
static_assert(std::is_base_of_v<std::out_of_range, ex::OutOfRange>);
static_assert(std::is_base_of_v<std::runtime_error, ex::NotImplemented>);
static_assert(std::is_base_of_v<std::runtime_error, ex::AssertionFailed>);

namespace {

// Suppresses the output of expected errors.
struct Quiet {
  Quiet() { dash::internal::logging::disable_log(); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() { dash::internal::logging::enable_log(); }
};

template <class F>
std::string message_of(F throws) {
  try {
    throws();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

struct NoText {
  int value;
  bool operator==(const NoText&) const = default;
};

}  // namespace

TEST_CASE("DASH_THROW writes the unit and the streamed text") {
  const Quiet quiet;
  const auto fail = [] { DASH_THROW(dash::exception::OutOfRange, "index " << 7 << " of " << 5); };
  CHECK_THROWS_AS(fail(), ex::OutOfRange);
  CHECK(message_of(fail) == "[ Unit -1 ] index 7 of 5");
  dash::core::set_log_unit(2, 4);
  CHECK(message_of(fail) == "[ Unit 2 ] index 7 of 5");
  dash::core::set_log_unit(-1, 0);
}

TEST_CASE("DASH_THROW logs an error, unless the log is disabled") {
  const auto fail = [] { DASH_THROW(dash::exception::InvalidArgument, "bad " << 1); };
  {
    StderrCapture capture;
    CHECK_THROWS_AS(fail(), ex::InvalidArgument);
    const std::string text = capture.text();
    CHECK(text.find("[error]") != std::string::npos);
    CHECK(text.find("InvalidArgument: bad 1 (ExceptionTest.cpp:") != std::string::npos);
  }
  const Quiet quiet;
  StderrCapture capture;
  CHECK_THROWS_AS(fail(), ex::InvalidArgument);
  CHECK(capture.text().empty());
}

TEST_CASE("DASH_THROW is a single statement") {
  const Quiet quiet;
  const auto choose = [](bool bad) {
    if (bad)
      DASH_THROW(dash::exception::RuntimeError, "bad");
    else
      return 1;
  };
  CHECK(choose(false) == 1);
  CHECK_THROWS_AS(choose(true), ex::RuntimeError);
}

TEST_CASE("Assertions that hold do nothing") {
  DASH_ASSERT(1 + 1 == 2);
  DASH_ASSERT_MSG(true, "text");
  DASH_ASSERT_ALWAYS(true);
  DASH_ASSERT_MSG_ALWAYS(true, "a" << 1);
  DASH_ASSERT_RETURNS(3 - 3, 0);
  DASH_ASSERT_RANGE(0, 0U, 5L, "text");
  DASH_ASSERT_RANGE(0, 5, 5, "text");
  DASH_ASSERT_EQ(1, 1U, "text");
  DASH_ASSERT_NE(-1, ~0U, "text");
  DASH_ASSERT_GT(2U, -1, "text");
  DASH_ASSERT_GE(2, 2, "text");
  DASH_ASSERT_LT(-1, std::size_t{0}, "text");
  DASH_ASSERT_LE(2.0, 2.0, "text");
}

TEST_CASE("Assertions that fail throw their class") {
  const Quiet quiet;
  CHECK_THROWS_AS([] { DASH_ASSERT(1 == 2); }(), ex::AssertionFailed);
  CHECK_THROWS_AS([] { DASH_ASSERT_MSG(false, "m"); }(), ex::AssertionFailed);
  CHECK_THROWS_AS([] { DASH_ASSERT_ALWAYS(false); }(), ex::AssertionFailed);
  CHECK_THROWS_AS([] { DASH_ASSERT_MSG_ALWAYS(false, "m"); }(), ex::AssertionFailed);
  CHECK_THROWS_AS([] { DASH_ASSERT_RETURNS(1, 0); }(), ex::AssertionFailed);
  CHECK_THROWS_AS([] { DASH_ASSERT_EQ(1, 2, "m"); }(), ex::AssertionFailed);
  CHECK_THROWS_AS([] { DASH_ASSERT_NE(1, 1, "m"); }(), ex::AssertionFailed);
  CHECK_THROWS_AS([] { DASH_ASSERT_RANGE(0, -1, 5U, "m"); }(), ex::OutOfRange);
  CHECK_THROWS_AS([] { DASH_ASSERT_RANGE(0, 6, 5, "m"); }(), ex::OutOfRange);
  CHECK_THROWS_AS([] { DASH_ASSERT_GT(1, 1, "m"); }(), ex::OutOfRange);
  CHECK_THROWS_AS([] { DASH_ASSERT_GE(-1, 0U, "m"); }(), ex::OutOfRange);
  CHECK_THROWS_AS([] { DASH_ASSERT_LT(1, 1, "m"); }(), ex::OutOfRange);
  CHECK_THROWS_AS([] { DASH_ASSERT_LE(2, 1, "m"); }(), ex::OutOfRange);
}

TEST_CASE("A failed assertion reports the expression, the values and the location") {
  const Quiet quiet;
  const int size = 5;
  const std::string range = message_of([&] { DASH_ASSERT_RANGE(0, size + 1, size, "size " << 1); });
  INFO(range);
  CHECK(range.find("size + 1 = 6 is not in [0, 5]: size 1") != std::string::npos);
  CHECK(range.find("ExceptionTest.cpp:") != std::string::npos);
  CHECK(message_of([&] { DASH_ASSERT_EQ(size, 4, "m"); }).find("size == 4: 5 == 4: m") !=
        std::string::npos);
  CHECK(message_of([] { DASH_ASSERT_EQ(NoText{1}, NoText{2}, "m"); }).find("(no text)") !=
        std::string::npos);
}

TEST_CASE("Arguments of assertions are evaluated once") {
  int calls = 0;
  const auto next = [&calls] { return ++calls; };
  DASH_ASSERT_RANGE(1, next(), 1, "text");
  DASH_ASSERT_EQ(next(), 2, "text");
  DASH_ASSERT_GE(next(), 3, "text");
  DASH_ASSERT_RETURNS(next(), 4);
  CHECK(calls == 4);
}

namespace {

/// Not exported: the dynamic linker does not have its name.
[[gnu::noinline]] std::string stack_trace_from_hidden_function() {
  StderrCapture capture;
  DASH_STACK_TRACE();
  return capture.text();
}

}  // namespace

TEST_CASE("A stack trace names functions that are not exported") {
  const std::string text = stack_trace_from_hidden_function();
  INFO(text);
  CHECK(text.find("stack_trace_from_hidden_function") != std::string::npos);
  CHECK(text.find("#0 ") < text.find("stack_trace_from_hidden_function"));
}

TEST_CASE("DASH_STACK_TRACE prints frames") {
  StderrCapture capture;
  DASH_STACK_TRACE();
  const std::string text = capture.text();
  CHECK(text.find("#0 ") != std::string::npos);

  StderrCapture limited;
  dash__print_stacktrace(stderr, 2);
  const std::string two = limited.text();
  CHECK(two.find("#1 ") != std::string::npos);
  CHECK(two.find("#2 ") == std::string::npos);
}
