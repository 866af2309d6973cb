#include "Runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace dash::bench {

namespace {

Run run_in(const std::string& line) {
  Run run;
  std::string set;
  std::string more;
  std::istringstream words(line);
  words >> run.program >> run.units >> run.layout >> run.mode >> set;
  if (!words || run.units < 0 || (set != "quick" && set != "full" && set != "study") ||
      words >> more) {
    throw std::runtime_error("expected '<program> <units> <layout> <mode> <quick|full|study>'");
  }
  layout_environment(run.layout, run.units);  // throws if it is unknown
  run.set = set == "quick" ? RunSet::quick : set == "full" ? RunSet::full : RunSet::study;
  return run;
}

}  // namespace

std::vector<Run> read_runs(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{} cannot be read", path));
  std::vector<Run> runs;
  for (std::string line; std::getline(file, line);) {
    try {
      runs.push_back(run_in(line));
    } catch (const std::exception& error) {
      throw std::runtime_error(
          fmt::format("{}: line {} is '{}': {}", path, runs.size() + 1, line, error.what()));
    }
  }
  return runs;
}

std::vector<Run> select(const std::vector<Run>& runs, const std::string& word, RunSet set) {
  std::vector<Run> selected;
  for (const Run& run : runs) {
    if (run.program.find(word) == std::string::npos) continue;
    const bool is_part = set == RunSet::full && run.set == RunSet::quick;
    if (run.set == set || is_part) selected.push_back(run);
  }
  if (selected.empty()) {
    throw std::runtime_error(
        fmt::format("no name of a benchmark{} contains '{}'; the benchmarks are:\n{}",
                    set == RunSet::quick   ? " of the quick set"
                    : set == RunSet::study ? " of the study"
                                           : "",
                    word, fmt::join(programs_of(runs), "\n")));
  }
  return selected;
}

std::vector<std::string> programs_of(const std::vector<Run>& runs) {
  std::set<std::string> names;
  for (const Run& run : runs)
    names.insert(run.program);
  return {names.begin(), names.end()};
}

std::string describe(const Run& run) {
  if (run.units == 0) return run.program;
  return fmt::format("{}, {} {}, {}, progress {}", run.program, run.units,
                     run.units == 1 ? "unit" : "units", run.layout, run.mode);
}

Command command_of(const Run& run, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{path_of_program(run.program)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  if (run.units != 0) return command_of_units(run.units, run.layout, run.mode, words);
  Command command{words};
  append_progress_mode(run.mode, command.environment);
  return command;
}

}  // namespace dash::bench
