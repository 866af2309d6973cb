#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/ProgramRun.h"
#include "support/Table.h"

namespace dash::bench {

struct BaselineProgram {
  std::string name;
  ProgramRun run;
};

/// The MPI baselines `<program>_mpi --via <via>` of our program, with the same arguments. Each unit is
/// bound to its own core if there are enough cores.
std::vector<BaselineProgram> mpi_baselines(const ProgramRun& ours,
                                           const std::vector<std::string>& vias);

/// How often each program is started: `most` times, or fewer (but at least three) if that would take longer
/// than `budget_s`. Quick sampling reduces both.
struct Rounds {
  int most = 15;
  double budget_s = 45;
};

/// Comparison of whole programs: runs ours and its baselines with mpiexec, interleaved. Sample i of a
/// program comes from round i: the median of the repetitions within that run, in nanoseconds.
class ProgramComparison {
 public:
  /// Runs each program once a round, every second round in reverse order.
  /// \throws std::runtime_error as run() does, and if the results of two runs differ by more than a
  ///         relative 1e-12, since all programs do the same work
  ProgramComparison(ProgramRun ours, std::vector<BaselineProgram> baselines, Rounds rounds = {});

  int rounds() const;
  /// The name of the baseline with the lowest median time.
  const std::string& best_baseline() const;

  /// Ours compared with a baseline. The noise is the ratio of the baseline's samples to those of the next
  /// round.
  /// \param baseline  its name; by default the best one
  /// \throws std::invalid_argument  if there is no baseline of that name, or (communication) one of the two
  ///         programs does not report its communication time
  Outcome total() const { return total(best_baseline()); }
  Outcome total(const std::string& baseline) const;
  Outcome communication(const std::string& baseline) const;

  /// \param program  the name of a baseline, or "ours"
  /// \returns the median of the rates that its runs have reported
  double rate(const std::string& program = "ours") const;
  /// Our rates, one a round, with their unit.
  Figures rates() const;

  /// Rows of a table, with the name of the baseline.
  /// \param goal  a bound on our speed relative to the baseline's, as speed_at_least(1.0)
  Row total_row(const std::string& name, const std::string& size, const Goal& goal = {}) const;
  Row total_row(const std::string& name, const std::string& size, const std::string& baseline,
                const Goal& goal = {}) const;
  /// Adds a row for each baseline; the goal applies to the best one.
  void add_total_rows(Table& table, const std::string& name, const std::string& size,
                      const Goal& goal) const;
  /// \param goal  a bound on our communication time relative to the baseline's, as ratio_at_most(0.5)
  Row communication_row(const std::string& name, const std::string& size,
                        const std::string& baseline, const Goal& goal = {}) const;

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
    std::string command;
  };

  void run_round(bool in_reverse);
  void run_once(Measured& program);
  void check_result(const std::string& command, const std::optional<double>& result);
  Outcome outcome(const Measured& baseline, Samples Measured::*medians,
                  Samples Measured::*each) const;
  const Measured& find(const std::string& name) const;
  const Measured& ours() const { return _programs.front(); }

  std::vector<Measured> _programs;  // ours first
  std::optional<Result> _result;    // of the first run that has reported one
};

}  // namespace dash::bench
