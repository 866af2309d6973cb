#pragma once

#include <functional>
#include <string>

/// Test runner shared by all tests: the Catch2 session of every main program, skipping, the seed.
namespace dash::test {

/// Exit code of a program all of whose test cases were skipped; CTest reports it as such.
inline constexpr int exit_skipped = 77;

/// Options that the main program passes to a session.
struct SessionOptions {
  /// For Catch2's generators and for seed(); must be equal on all units.
  unsigned seed = 0;
  /// Prefix of every line that the runner prints, for example "[unit 2 of 4] ".
  std::string prefix;
  /// Called on the test's thread after a test case with a failed assertion; may be empty.
  std::function<void()> on_failed_case;
  /// Called on another thread when DASH_TEST_TIMEOUT_S has expired, after the running case was printed.
  std::function<void()> on_timeout;
};

/// Runs the test cases that the command line selects (Catch2's own options).
/// \returns 0, exit_skipped if each of them was skipped, or another code after a failure.
int run_session(int argc, char** argv, const SessionOptions& options);

/// The seed of this run: DASH_TEST_SEED, or the time when the run began. Equal on all units.
unsigned seed();

/// A seed for a new run: DASH_TEST_SEED, or the time.
unsigned choose_seed();

/// Marks the running test case as skipped; use DASH_SKIP.
void mark_skipped(const std::string& reason);

}  // namespace dash::test

/// Ends the test case at once and reports it as skipped. Usable only in a function that returns void.
#define DASH_SKIP(reason)               \
  do {                                  \
    ::dash::test::mark_skipped(reason); \
    return;                             \
  } while (false)
