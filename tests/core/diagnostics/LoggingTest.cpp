// dash-test: serial
#undef DASH_ENABLE_LOGGING
#undef DASH_ENABLE_TRACE_LOGGING
#define DASH_ENABLE_LOGGING 1
#define DASH_ENABLE_TRACE_LOGGING 1
#include "dash/internal/Logging.h"

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "StderrCapture.h"
#include "dash/core/Settings.h"
#include "support/Catch.h"

namespace {

struct NoText {};

template <class F>
std::string written_by(F writes) {
  StderrCapture capture;
  writes();
  const std::string text = capture.text();
  const std::size_t unit = text.find("[unit ");
  return unit == std::string::npos ? text : text.substr(text.find("] ", unit) + 2);
}

void use_level(const char* level) {
  setenv("DART_LOG_LEVEL", level, 1);
  dash::core::load_settings();
  unsetenv("DART_LOG_LEVEL");
}

}  // namespace

TEST_CASE("Log macros write the context and the items") {
  use_level("trace");
  const int size = 3;
  CHECK(written_by([] { DASH_LOG_ERROR("Array.allocate", "nelem:", 5, 'x'); }) ==
        "Array.allocate | nelem: 5 x\n");
  CHECK(written_by([] { DASH_LOG_WARN("Array.allocate"); }) == "Array.allocate\n");
  CHECK(written_by([] { DASH_LOG_INFO("a", 1.5); }) == "a | 1.5\n");
  CHECK(written_by([] { DASH_LOG_DEBUG("a", true); }) == "a | 1\n");
  CHECK(written_by([] { DASH_LOG_TRACE("a", std::string("b")); }) == "a | b\n");
  CHECK(written_by([&] { DASH_LOG_DEBUG_VAR("a", size + 1); }) == "a | size + 1: 4\n");
  CHECK(written_by([&] { DASH_LOG_TRACE_VAR("a", size); }) == "a | size: 3\n");
}

TEST_CASE("Log macros write lists, and a placeholder for types without text") {
  use_level("trace");
  const std::vector<int> list{1, 2, 3};
  const std::vector<std::vector<int>> lists{{1}, {}, {2, 3}};
  CHECK(written_by([&] { DASH_LOG_DEBUG("a", list); }) == "a | { 1 2 3 }\n");
  CHECK(written_by([&] { DASH_LOG_DEBUG("a", lists); }) == "a | { { 1 } { } { 2 3 } }\n");
  CHECK(written_by([&] { DASH_LOG_DEBUG("a", NoText{}); }) == "a | (no text)\n");
  CHECK(written_by([&] { DASH_LOG_TRACE_RANGE("a", list.begin(), list.begin() + 2); }) ==
        "a | list.begin(), list.begin() + 2: { 1 2 }\n");
}

TEST_CASE("Log macros evaluate nothing if their level or the log is disabled") {
  int calls = 0;
  const auto counted = [&calls] { return ++calls; };
  use_level("info");
  CHECK(written_by([&] { DASH_LOG_DEBUG("a", counted()); }).empty());
  CHECK(written_by([&] { DASH_LOG_INFO("a", counted()); }) == "a | 1\n");
  dash::internal::logging::disable_log();
  CHECK(written_by([&] { DASH_LOG_ERROR("a", counted()); }).empty());
  dash::internal::logging::enable_log();
  CHECK(calls == 1);
  CHECK(written_by([&] { DASH_LOG_ERROR("a", counted()); }) == "a | 2\n");
}
