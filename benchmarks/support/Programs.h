#pragma once

/// \file
/// A contest of whole programs: ours and its twins, started by mpiexec in turns.
///
/// Such a program takes `--report FILE`, and its unit 0 writes there
///
///     {"program": "isx", "via": "dash", "units": 2, "valid": true,
///      "progress": "poll", "samples": [{"total_s": 0.5, "communication_s": 0.1}, ...],
///      "rate": 1.2e7, "rate_unit": "keys/s", "result": 42}
///
/// A sample is one repetition of what it times. `progress` (of the library), `communication_s` (time in calls of
/// exchange and in waits), `rate`, `rate_unit` and `result` (what it has computed, in one number) may be missing.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/Contest.h"
#include "support/Measure.h"
#include "support/Table.h"

namespace dash::bench {

/// A program to start.
struct ProgramRun {
  int units = 1;
  std::string layout = "node";  // see layout_environment
  std::string program;          // stands next to this one, or a path
  std::vector<std::string> arguments = {};
  std::vector<std::string> environment = {};  // NAME=VALUE, beyond that of the layout
  /// mpiexec gives each unit a core of its own. The library does that by itself; a program by MPI
  /// alone is slower without, when the system puts two of its units on one core.
  bool is_bound = false;
  /// A run that takes longer hangs. One over TCP counts that has reported until then.
  int limit_s = 300;

  /// As one would type it, without --report.
  std::string text() const;
};

/// What a run has said of itself.
struct ProgramReport {
  Samples total_s;
  Samples communication_s;  // empty if it cannot be told apart
  double rate = 0;
  std::string rate_unit;
  std::optional<double> result;
  std::string progress;
};

/// Starts a program, and waits for its end.
/// \throws std::runtime_error that names the command, and has its output, if it fails, takes too
///         long, is not valid, or its report is missing or not as it should be
ProgramReport run(const ProgramRun& run);

/// The same of a program whose report is another one.
/// \param read  is given the text of the report; what it throws says why that cannot be used
void run(const ProgramRun& run, const std::function<void(const std::string& report)>& read);

struct Contender {
  std::string name;
  ProgramRun run;
};

/// The twins `<program>_mpi --via <each>` of ours, with its arguments, each unit on its own core if
/// there are enough.
std::vector<Contender> twins_by_mpi(const ProgramRun& ours, const std::vector<std::string>& vias);

/// How often each program is started: `most` times, fewer (three at least) if that would take longer
/// than `goal_s`. With quick effort less of both.
struct Rounds {
  int most = 15;
  double goal_s = 45;
};

/// What the rounds of a contest have given. Sample i of each contender is of round i: the median of
/// its repetitions in that run, in nanoseconds.
class ProgramContest {
 public:
  /// Runs ours and each twin in turns, every second round in reverse order.
  /// \throws std::runtime_error as run() does, and if two runs report results that differ by more than
  ///         1e-12 of them: all do the same work
  ProgramContest(ProgramRun ours, std::vector<Contender> twins, Rounds rounds = {});

  int rounds() const;
  /// The twin whose median time is the least.
  const std::string& best_twin() const;

  /// Of ours against a twin. The noise is that of the twin's rounds against the next ones.
  /// \param twin  its name; without, the best one
  /// \throws std::invalid_argument  if there is none of that name, or (communication) it or ours
  ///         does not tell communication apart
  Outcome total() const { return total(best_twin()); }
  Outcome total(const std::string& twin) const;
  Outcome communication(const std::string& twin) const;

  /// \param twin  its name; "ours" is ours
  /// \returns the median of what its runs have reported
  double rate(const std::string& twin = "ours") const;
  /// What ours has reported, round by round, with its unit.
  Figures rates() const;

  /// Rows of a table, named after the twin.
  /// \param bar  as speed_at_least(1.0): our rate is at least so much of the twin's
  Row total_row(const std::string& what, const std::string& size, const Bar& bar = {}) const;
  Row total_row(const std::string& what, const std::string& size, const std::string& twin,
                const Bar& bar = {}) const;
  /// A row for each twin; the bar is that of the best one.
  void add_total_rows(Table& table, const std::string& what, const std::string& size,
                      const Bar& bar) const;
  /// \param bar  as ratio_at_most(0.5): our time in communication is at most so much of the twin's
  Row communication_row(const std::string& what, const std::string& size, const std::string& twin,
                        const Bar& bar = {}) const;

 private:
  struct Measured {
    std::string name;
    ProgramRun run;
    Samples total_ns = {};
    Samples communication_ns = {};
    Samples rates = {};
    std::string rate_unit = {};
    std::string progress = {};
    Samples each_total_ns = {};  // of each repetition
    Samples each_communication_ns = {};
  };
  struct Result {
    double value = 0;
    std::string of;
  };

  void run_round(bool in_reverse);
  void take(Measured& figures);
  void compare(const std::string& text, const std::optional<double>& result);
  Outcome outcome(const Measured& twin, Samples Measured::*medians, Samples Measured::*each) const;
  const Measured& of(const std::string& name) const;
  const Measured& ours() const { return _figures.front(); }

  std::vector<Measured> _figures;  // ours first
  std::optional<Result> _result;   // of the first run that has reported one
};

}  // namespace dash::bench
