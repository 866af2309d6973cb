#include "support/Runner.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <thread>

#define CATCH_CONFIG_RUNNER
#include "support/Catch.h"

// Defined if the run-time library of a sanitizer is linked.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace dash::test {
namespace {

struct RunState {
  SessionOptions options;
  std::atomic<bool> running = false;
  std::mutex mutex;          // guards current_case
  std::string current_case;  // read by the watchdog
  bool current_skipped = false;
  int cases_run = 0;
  int cases_skipped = 0;
};

/// Never destroyed: sanitizers and the watchdog use it after the destruction of static objects.
RunState& run_state() {
  static auto* const state = new RunState();
  return *state;
}

std::string current_case() {
  const std::lock_guard lock(run_state().mutex);
  return run_state().current_case;
}

/// Prints the running test case when a sanitizer ends the process; its report does not contain it.
void report_running_case() {
  if (!run_state().running) {
    return;
  }
  const auto line =
      run_state().options.prefix + "terminated in test case \"" + current_case() + "\"\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

/// Records the running test case, counts skipped cases, and reports failed cases.
class SessionListener final : public Catch::EventListenerBase {
 public:
  using Base = Catch::EventListenerBase;
  using Base::Base;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    const std::lock_guard lock(run_state().mutex);
    run_state().current_case = info.name;
    run_state().current_skipped = false;
    ++run_state().cases_run;
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (run_state().current_skipped) {
      ++run_state().cases_skipped;
    }
    if (stats.totals.assertions.failed > 0 && run_state().options.on_failed_case) {
      run_state().options.on_failed_case();
    }
  }
};

/// Ends a run that hangs, with a report of the running case, before the timeout of CTest kills it silently.
class Watchdog {
 public:
  explicit Watchdog(const SessionOptions& options) : _options(options) {
    if (const char* text = std::getenv("DASH_TEST_TIMEOUT_S")) {
      _timeout = std::chrono::seconds(std::atoi(text));
    }
    if (_timeout.count() > 0) {
      _thread = std::thread([this] { watch(); });
    }
  }

  ~Watchdog() {
    if (_thread.joinable()) {
      {
        const std::lock_guard lock(_mutex);
        _finished = true;
      }
      _wake.notify_one();
      _thread.join();
    }
  }

  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch() {
    std::unique_lock lock(_mutex);
    if (_wake.wait_for(lock, _timeout, [this] { return _finished; })) {
      return;
    }
    std::fprintf(stderr, "%sstill in test case \"%s\" after %lld s (seed %u)\n",
                 _options.prefix.c_str(), current_case().c_str(),
                 static_cast<long long>(_timeout.count()), _options.seed);
    std::fflush(stderr);
    if (_options.on_timeout) {
      _options.on_timeout();
    }
    ::_exit(EXIT_FAILURE);
  }

  const SessionOptions& _options;
  std::chrono::seconds _timeout{0};
  std::mutex _mutex;
  std::condition_variable _wake;
  bool _finished = false;
  std::thread _thread;
};

}  // namespace

CATCH_REGISTER_LISTENER(SessionListener)

int run_session(int argc, char** argv, const SessionOptions& options) {
  run_state().options = options;
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(report_running_case);
  }
  Catch::Session session;
  session.configData().rngSeed = options.seed;
  if (const int code = session.applyCommandLine(argc, argv); code != 0) {
    return code;
  }
  const Watchdog watchdog(options);
  run_state().running = true;
  const int failed = session.run();
  run_state().running = false;
  if (failed != 0) {
    return EXIT_FAILURE;
  }
  const auto& config = session.configData();
  const bool prints_only =
      config.listTests || config.listTags || config.listReporters || config.showHelp;
  if (run_state().cases_run == 0 && !prints_only) {
    std::fprintf(stderr, "%sno test case matches the arguments\n", options.prefix.c_str());
    return EXIT_FAILURE;
  }
  const bool all_skipped =
      run_state().cases_run > 0 && run_state().cases_skipped == run_state().cases_run;
  return all_skipped ? exit_skipped : EXIT_SUCCESS;
}

unsigned seed() {
  return run_state().options.seed;
}

unsigned choose_seed() {
  if (const char* text = std::getenv("DASH_TEST_SEED")) {
    return static_cast<unsigned>(std::strtoul(text, nullptr, 10));
  }
  return static_cast<unsigned>(std::time(nullptr));
}

void mark_skipped(const std::string& reason) {
  run_state().current_skipped = true;
  std::printf("%sskipped: \"%s\": %s\n", run_state().options.prefix.c_str(), current_case().c_str(),
              reason.c_str());
}

}  // namespace dash::test
