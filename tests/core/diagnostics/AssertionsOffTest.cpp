// dash-test: serial
#undef DASH_ENABLE_ASSERTIONS
#undef DASH_ENABLE_LOGGING
#undef DASH_ENABLE_TRACE_LOGGING

#include "core/diagnostics/StderrCapture.h"
#include "dash/Exception.h"
#include "support/Catch.h"

namespace {

int calls = 0;

int counted(int value) {
  ++calls;
  return value;
}

DASH_CONSTEXPR int three() DASH_NOEXCEPT {
  return 3;
}
int four() DASH_ASSERT_NOEXCEPT {
  return 4;
}

}  // namespace

static_assert(three() == 3);
static_assert(noexcept(three()));
static_assert(noexcept(four()));

TEST_CASE("DASH_ASSERT does not evaluate its arguments if assertions are disabled") {
  calls = 0;
  DASH_ASSERT(counted(0) == 1);
  DASH_ASSERT_MSG(counted(0) == 1, counted(2));
  CHECK(calls == 0);
}

TEST_CASE("Assertions on values evaluate them without checks if assertions are disabled") {
  calls = 0;
  DASH_ASSERT_RETURNS(counted(1), 0);
  CHECK(calls == 1);
  DASH_ASSERT_RANGE(counted(3), counted(2), counted(1), "text");
  CHECK(calls == 4);
  DASH_ASSERT_EQ(1, 2, "text");
  DASH_ASSERT_NE(1, 1, "text");
  DASH_ASSERT_GT(1, 1, "text");
  DASH_ASSERT_GE(0, 1, "text");
  DASH_ASSERT_LT(1, 1, "text");
  DASH_ASSERT_LE(2, 1, "text");
}

TEST_CASE("Assertions with ALWAYS check even if assertions are disabled") {
  dash::internal::logging::disable_log();
  CHECK_THROWS_AS([] { DASH_ASSERT_ALWAYS(false); }(), dash::exception::AssertionFailed);
  CHECK_THROWS_AS([] { DASH_ASSERT_MSG_ALWAYS(four() == 3, "text"); }(),
                  dash::exception::AssertionFailed);
  dash::internal::logging::enable_log();
}

TEST_CASE("Disabled log macros evaluate nothing") {
  calls = 0;
  StderrCapture capture;
  DASH_LOG_ERROR("context", counted(1));
  DASH_LOG_WARN("context", counted(1));
  DASH_LOG_DEBUG("context", counted(1));
  DASH_LOG_TRACE("context", counted(1));
  DASH_LOG_ERROR_VAR("context", counted(1));
  DASH_LOG_DEBUG_VAR("context", counted(1));
  DASH_LOG_TRACE_VAR("context", counted(1));
  DASH_LOG_TRACE_RANGE("context", counted(1), counted(2));
  CHECK(calls == 0);
  CHECK(capture.text().empty());
}

TEST_CASE("The helper macros create strings and mark names as used") {
#define VALUE 42
  const int unused_name = 1;
  dash__unused(unused_name);
  CHECK(std::string(dash__tostr(VALUE)) == "VALUE");
  CHECK(std::string(dash__toxstr(VALUE)) == "42");
}
