#pragma once

#include <functional>
#include <string>

/// What the tests share: the Catch2 session behind every main program, skipping, the seed.
namespace dash::test {

/// Exit code of a program all of whose test cases were skipped; CTest reports it as such.
inline constexpr int exit_skipped = 77;

/// What the main program adds to a session.
struct SessionOptions {
  /// For Catch2's generators and the tests' own (seed()); must be equal on all units.
  unsigned seed = 0;
  /// Stands before every line the runner itself prints, for example "[unit 2 of 4] ".
  std::string prefix;
  /// Called on the test's thread after a test case with a failed assertion; may be empty.
  std::function<void()> on_failed_case;
  /// Called on another thread when DASH_TEST_TIMEOUT_S is over, after the running case was named.
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

/// Leaves the test case at once and reports it as skipped. Only where a `return;` would do.
#define DASH_SKIP(reason)               \
  do {                                  \
    ::dash::test::mark_skipped(reason); \
    return;                             \
  } while (false)
