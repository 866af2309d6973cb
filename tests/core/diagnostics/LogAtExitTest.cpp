// dash-test: serial
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "StderrCapture.h"
#include "dash/core/Log.h"
#include "support/Catch.h"

namespace {

// Destroyed after all objects that the test program created later, including the sinks of spdlog. Its destructor
// ends the process, since the leak check that would follow may hang in a forked child.
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
