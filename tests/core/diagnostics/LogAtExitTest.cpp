// dash-test: serial
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "StderrCapture.h"
#include "dash/core/Log.h"

namespace {

// Destroyed after everything that the test program made later, the sinks of spdlog among it. The
// process ends with it: what would follow is LeakSanitizer's search, which may hang in a child that
// was forked.
struct LogsAtExit {
  ~LogsAtExit() {
    if (armed) {
      dash::core::log(dash::core::LogLevel::error, "last words");
      _exit(0);
    }
  }
  bool armed = false;
};

LogsAtExit last_object;

}  // namespace

TEST_CASE("Destructors of static objects may log") {
  StderrCapture capture;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    last_object.armed = true;
    dash::core::log(dash::core::LogLevel::error, "first words");
    std::exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  const std::string text = capture.text();
  INFO(text);
  CHECK(WIFEXITED(status));
  CHECK(text.find("first words") != std::string::npos);
  CHECK(text.find("last words") != std::string::npos);
}
