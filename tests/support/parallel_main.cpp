// The main program of tests that run under mpiexec. If all tests pass, the report of unit 0 is printed. A
// unit in which a test case fails prints its report at once and ends the run shortly after, since other units
// may wait for it in a collective operation that it has left.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <mutex>
#include <streambuf>
#include <string>
#include <thread>

#include "dash/dart/if/dart.h"
#include "support/Runner.h"

#ifndef DASH_TEST_DART_ONLY
#include "dash/Init.h"
#endif

namespace {

void start(int* argc, char*** argv) {
#ifdef DASH_TEST_DART_ONLY
  if (dart_init(argc, argv) != DART_OK) {
    std::fprintf(stderr, "dart_init failed\n");
    std::exit(EXIT_FAILURE);
  }
#else
  dash::init(argc, argv);
#endif
}

void stop() {
#ifdef DASH_TEST_DART_ONLY
  dart_exit();
#else
  dash::finalize();
#endif
}

/// A stream buffer that may be read while another thread writes, for the report of a run that hangs.
class SharedBuffer final : public std::streambuf {
 public:
  std::string text() const {
    const std::lock_guard lock(_mutex);
    return _text;
  }

 protected:
  int overflow(int character) override {
    const std::lock_guard lock(_mutex);
    _text.push_back(static_cast<char>(character));
    return character;
  }
  std::streamsize xsputn(const char* characters, std::streamsize count) override {
    const std::lock_guard lock(_mutex);
    _text.append(characters, static_cast<std::size_t>(count));
    return count;
  }

 private:
  mutable std::mutex _mutex;  // guards _text
  std::string _text;
};

/// Captures std::cout, to which Catch2 writes its report, during its lifetime.
class CapturedOutput {
 public:
  CapturedOutput() : _console(std::cout.rdbuf(&_buffer)) {}
  ~CapturedOutput() { std::cout.rdbuf(_console); }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  std::string text() const { return _buffer.text(); }

 private:
  SharedBuffer _buffer;
  std::streambuf* _console;
};

int allreduce(int value, dart_operation_t operation) {
  int result = value;
  dart_allreduce(&value, &result, 1, DART_TYPE_INT, operation, DART_TEAM_ALL);
  return result;
}

/// The common exit code of all units: failure if any unit failed, skipped if all units skipped all cases.
int agree_on_exit_code(int code) {
  const bool failed = code != EXIT_SUCCESS && code != dash::test::exit_skipped;
  const int any_failed = allreduce(failed ? 1 : 0, DART_OP_MAX);
  const int all_skipped = allreduce(code == dash::test::exit_skipped ? 1 : 0, DART_OP_MIN);
  if (any_failed != 0) {
    return EXIT_FAILURE;
  }
  return all_skipped != 0 ? dash::test::exit_skipped : EXIT_SUCCESS;
}

/// Runs the session on this unit and prints its report if required.
int run_unit(int argc, char** argv) {
  dart_global_unit_t unit;
  size_t nunits = 0;
  dart_myid(&unit);
  dart_size(&nunits);

  dash::test::SessionOptions options;
  options.seed = dash::test::choose_seed();
  dart_bcast(&options.seed, 1, DART_TYPE_UINT, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL);
  options.prefix = "[unit " + std::to_string(unit.id) + " of " + std::to_string(nunits) + "] ";

  CapturedOutput output;
  const auto report_and_exit = [&] {
    // A single write keeps the reports of several units separate; the delay lets other units report, too.
    const auto report = options.prefix + "seed " + std::to_string(options.seed) + ", report:\n" +
                        output.text() + "\n";
    std::fwrite(report.data(), 1, report.size(), stderr);
    std::fflush(stderr);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ::_exit(EXIT_FAILURE);
  };
  options.on_failed_case = report_and_exit;
  options.on_timeout = report_and_exit;

  const int code = agree_on_exit_code(dash::test::run_session(argc, argv, options));
  if (unit.id == 0 || code == EXIT_FAILURE) {
    std::fputs(output.text().c_str(), stdout);
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    start(&argc, &argv);
    const int code = run_unit(argc, argv);
    stop();
    return code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "exception outside of the test cases: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
