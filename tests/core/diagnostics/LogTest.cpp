// dash-test: serial
#include "dash/core/Log.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "StderrCapture.h"
#include "dash/core/Settings.h"
#include "support/Catch.h"

using namespace dash::core;

namespace {

void use_level(const char* level) {
  setenv("DART_LOG_LEVEL", level, 1);
  load_settings();
  unsetenv("DART_LOG_LEVEL");
}

// The output of log() for `text`.
std::string logged(LogLevel level, const std::string& text) {
  StderrCapture capture;
  log(level, text);
  return capture.text();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Logging works before a unit is known") {
  CHECK(log_unit() == -1);
  const std::string line = logged(LogLevel::error, "early {} %s");
  CHECK(contains(line, "[unit ?] early {} %s\n"));
  CHECK(contains(line, "[error]"));
}

TEST_CASE("A line contains its unit, padded to the widest id") {
  set_log_unit(3, 4);
  CHECK(log_unit() == 3);
  CHECK(contains(logged(LogLevel::warn, "text"), "[unit 3] text\n"));
  set_log_unit(3, 101);
  CHECK(contains(logged(LogLevel::warn, "text"), "[unit   3] text\n"));
  set_log_unit(0, 1);
  CHECK(contains(logged(LogLevel::warn, "text"), "[unit 0] text\n"));
}

TEST_CASE("A line of a process that is no unit contains its name") {
  set_log_name("progress process of unit 3");
  CHECK(log_unit() == -1);
  CHECK(contains(logged(LogLevel::warn, "text"), "[progress process of unit 3] text\n"));
  set_log_unit(0, 1);
  CHECK(contains(logged(LogLevel::warn, "text"), "[unit 0] text\n"));
}

TEST_CASE("Messages below the level are not written") {
  use_level("info");
  CHECK(log_enabled(LogLevel::error));
  CHECK(log_enabled(LogLevel::info));
  CHECK_FALSE(log_enabled(LogLevel::debug));
  CHECK(contains(logged(LogLevel::info, "shown"), "shown"));
  CHECK(logged(LogLevel::debug, "hidden").empty());
  use_level("trace");
  CHECK(contains(logged(LogLevel::trace, "shown"), "shown"));
  use_level("error");
  CHECK(logged(LogLevel::warn, "hidden").empty());
  use_level("warn");
}

TEST_CASE(
    "The switch disables and enables all output, including after an upper layer has provided its "
    "flag",
    "[Log]") {
  set_log_enabled(false);
  CHECK_FALSE(log_enabled(LogLevel::error));
  static int flag = 1;
  use_log_switch(&flag);
  CHECK(flag == 0);
  CHECK_FALSE(log_enabled(LogLevel::error));
  flag = 1;
  CHECK(log_enabled(LogLevel::error));
  set_log_enabled(false);
  CHECK(flag == 0);
  CHECK(logged(LogLevel::error, "hidden").empty());
  set_log_enabled(true);
  CHECK_FALSE(logged(LogLevel::error, "shown").empty());
}

TEST_CASE("Unknown variables are reported once per process, and by unit 0 only") {
  setenv("DART_PROGRES", "poll", 1);
  const auto load_as = [](int unit) {
    set_log_unit(unit, 2);
    StderrCapture capture;
    load_settings();
    return capture.text();
  };
  CHECK(load_as(1).empty());
  CHECK(contains(load_as(0), "DART_PROGRESS"));
  CHECK(load_as(0).empty());
  unsetenv("DART_PROGRES");
}

TEST_CASE("Lines of several threads do not mix") {
  constexpr int nthreads = 4;
  constexpr int nlines = 250;
  StderrCapture capture;
  std::vector<std::thread> threads;
  for (int t = 0; t < nthreads; ++t) {
    threads.emplace_back([t] {
      const std::string text(60, static_cast<char>('a' + t));
      for (int i = 0; i < nlines; ++i) {
        log(LogLevel::error, text);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  std::istringstream lines(capture.text());
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    ++count;
    const std::string text = line.substr(line.rfind(' ') + 1);
    REQUIRE(text == std::string(60, text.at(0)));
  }
  CHECK(count == nthreads * nlines);
}
