#pragma once

#include <string>
#include <vector>

#include "support/Process.h"

namespace dash::bench {

/// The sets of runs: all but the study; the short ones of these; the study of progress modes.
enum class RunSet { full, quick, study };

/// One execution of a benchmark program.
struct Run {
  std::string program;
  int units = 0;  // 0: without mpiexec
  std::string layout;
  std::string mode;           // the progress mode; auto: the default
  RunSet set = RunSet::full;  // the smallest one that contains it
};

/// Reads the list that CMake writes: lines "<program> <units> <layout> <mode> <quick|full|study>".
/// \throws std::runtime_error if the file cannot be read or a line is malformed; the message names the line
std::vector<Run> read_runs(const std::string& path);

/// Selects the runs of a set whose program name contains `word`.
/// \throws std::runtime_error if there is none; the message lists the names of all programs
std::vector<Run> select(const std::vector<Run>& runs, const std::string& word, RunSet set);

/// The distinct names of the programs, sorted.
std::vector<std::string> programs_of(const std::vector<Run>& runs);

/// "bench_dart_rma, 2 units, nolocal, progress poll"
std::string describe(const Run& run);

/// \param arguments  are passed to the program
Command command_of(const Run& run, const std::vector<std::string>& arguments);

}  // namespace dash::bench
