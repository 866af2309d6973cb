#pragma once

#include <string>
#include <vector>

#include "support/Process.h"

namespace dash::bench {

/// One start of a measuring program.
struct Run {
  std::string program;
  int units = 0;  // 0: without mpiexec
  std::string layout;
  std::string mode;  // of progress
  bool is_quick = false;
};

/// The list that CMake writes: lines "<program> <units> <layout> <mode> <quick|full>".
/// \throws std::runtime_error that names the line, if it is not so or there is no such file
std::vector<Run> read_runs(const std::string& path);

/// Those whose program has `word` in its name, of the quick set only if asked.
/// \throws std::runtime_error with the names that there are, if there is none
std::vector<Run> select(const std::vector<Run>& runs, const std::string& word, bool quick);

/// Each once, sorted.
std::vector<std::string> programs_of(const std::vector<Run>& runs);

/// "bench_dart_rma, 2 units, nolocal, progress poll"
std::string describe(const Run& run);

/// \param arguments  for the program
Command command_of(const Run& run, const std::vector<std::string>& arguments);

}  // namespace dash::bench
