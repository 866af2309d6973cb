#pragma once

/// \file
/// Running a whole program that measures itself.
///
/// Such a program takes `--report FILE`, to which its unit 0 writes
///
///     {"program": "isx", "via": "dash", "units": 2, "valid": true,
///      "progress": "poll", "samples": [{"total_s": 0.5, "communication_s": 0.1}, ...],
///      "rate": 1.2e7, "rate_unit": "keys/s", "result": 42}
///
/// A sample is one repetition of the timed part. Optional are `progress` (the library's progress mode),
/// `communication_s` (time in communication calls and in waits), `rate`, `rate_unit` and `result` (a number
/// that represents the computed result).

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/Measure.h"

namespace dash::bench {

/// A program to start.
struct ProgramRun {
  int units = 1;
  std::string layout = "node";    // see layout_environment
  std::string progress = "auto";  // the progress mode of the library
  std::string program;            // in the folder of the running program, or a path
  std::vector<std::string> arguments = {};
  std::vector<std::string> environment =
      {};  // NAME=VALUE, in addition to the variables of the layout
  /// Whether mpiexec binds each unit to its own core. DASH programs do not need it, because the
  /// library binds units. A plain MPI program that is not bound is slower when the system places
  /// two processes on one core.
  bool is_bound = false;
  /// A run that exceeds this time is considered hung. Over TCP it still counts if it has written its report.
  int limit_s = 300;

  /// The command as a user types it, without --report.
  std::string text() const;
  /// Units and progress processes.
  int process_count() const;
};

/// The report of one run.
struct ProgramReport {
  Samples total_s;
  Samples communication_s;  // empty if the program does not report it
  double rate = 0;
  std::string rate_unit;
  std::optional<double> result;
  std::string progress;
};

/// Runs a program and waits for its end.
/// \throws std::runtime_error with the command and its output, if the program fails, exceeds its time
///         limit, reports that its result is not valid, or does not write a well-formed report
ProgramReport run(const ProgramRun& run);

/// Runs a program whose report has another format.
/// \param read  is called with the text of the report; throws if it cannot use it
void run(const ProgramRun& run, const std::function<void(const std::string& report)>& read);

}  // namespace dash::bench
