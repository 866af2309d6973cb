#pragma once

#include <string>
#include <vector>

#include "support/Process.h"

namespace dash::bench {

/// One execution of a benchmark program.
struct Run {
  std::string program;
  int units = 0;  // 0: without mpiexec
  std::string layout;
  std::string mode;  // the progress mode; auto: the default
  bool is_quick = false;
};

/// Reads the list that CMake writes: lines "<program> <units> <layout> <mode> <quick|full>".
/// \throws std::runtime_error if the file cannot be read or a line is malformed; the message names the line
std::vector<Run> read_runs(const std::string& path);

/// Selects the runs whose program name contains `word`.
/// \param quick  whether to select only runs of the quick set
/// \throws std::runtime_error if there is none; the message lists the names of all programs
std::vector<Run> select(const std::vector<Run>& runs, const std::string& word, bool quick);

/// The distinct names of the programs, sorted.
std::vector<std::string> programs_of(const std::vector<Run>& runs);

/// "bench_dart_rma, 2 units, nolocal, progress poll"
std::string describe(const Run& run);

/// \param arguments  are passed to the program
Command command_of(const Run& run, const std::vector<std::string>& arguments);

}  // namespace dash::bench
