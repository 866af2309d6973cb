// Runs benchmark programs one after the other, and writes their results to one file.

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "Conditions.h"
#include "Runs.h"
#include "dash/core/Clock.h"
#include "support/Machine.h"

namespace {

using namespace dash::bench;
using Json = nlohmann::ordered_json;

/// The number of characters that are kept from the end of the output of a failed program.
constexpr std::size_t kept_output = 4000;

struct Options {
  std::string list;
  std::string word;
  std::string output;
  bool is_quick = false;
  bool is_study = false;
  bool only_programs = false;
  int limit_s = 3600;
  std::vector<std::string> arguments;
};

/// The temporary file to which a program appends its rows. The destructor removes it.
class RowFile {
 public:
  RowFile()
      : _path(std::filesystem::temp_directory_path() /
              fmt::format("dash-bench-rows-{}", ::getpid())) {
    remove();  // rows of an earlier runner with the same process id that was killed
  }
  ~RowFile() { remove(); }
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  std::string path() const { return _path.string(); }

  /// Moves the rows and notes of a run to its results, and removes the file.
  void move_to(Json& run) {
    run["rows"] = Json::array();
    run["notes"] = Json::array();
    std::ifstream file(_path);
    for (std::string line; std::getline(file, line);) {
      Json row = Json::parse(line, nullptr, false);
      if (row.is_discarded()) {
        // The program was killed while it wrote.
        run["notes"].push_back("failed: the last row is incomplete");
      } else if (row.contains("note")) {
        run["notes"].push_back(row["note"]);
      } else {
        run["rows"].push_back(std::move(row));
      }
    }
    remove();
  }

 private:
  void remove() noexcept {
    std::error_code ignored;
    std::filesystem::remove(_path, ignored);
  }

  std::filesystem::path _path;
};

/// Replaces the file atomically: if the runner is interrupted, the results so far are complete.
void write(const Json& results, const std::string& path) {
  const std::filesystem::path target(path);
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path());
  const std::string unfinished = path + ".new";
  std::ofstream file(unfinished);
  file << results.dump(1) << '\n';
  if (!file.flush()) throw std::runtime_error(unfinished + " cannot be written");
  std::filesystem::rename(unfinished, target);
}

double seconds_since(std::uint64_t begin_ns) {
  return static_cast<double>(dash::core::now_ns() - begin_ns) / 1e9;
}

Json measure(const Run& run, const Options& options, RowFile& rows) {
  Command command = command_of(run, options.arguments);
  command.limit_s = options.limit_s;
  command.environment.push_back("DASH_BENCH_ROWS=" + rows.path());
  if (options.is_quick) command.environment.emplace_back("DASH_BENCH_SAMPLING=quick");
  Json result{{"program", run.program}, {"units", run.units},     {"layout", run.layout},
              {"mode", run.mode},       {"began", now_as_text()}, {"load", load_average()}};
  const std::uint64_t begin = dash::core::now_ns();
  const ProcessResult process = dash::bench::run(command, [](std::string_view line) {
    fmt::print("{}", line);
    std::fflush(stdout);
  });
  result["seconds"] = seconds_since(begin);
  result["code"] = process.code;
  if (process.code != 0) {
    fmt::print("failed with code {}: {}\n", process.code, command.text());
    const std::size_t size = process.output.size();
    result["output"] = process.output.substr(size - std::min(size, kept_output));
  }
  rows.move_to(result);
  return result;
}

/// \returns the number of failed runs
int measure_all(const std::vector<Run>& runs, const Options& options) {
  const std::uint64_t begin = dash::core::now_ns();
  Json results{{"format", "dash-bench 2"},
               {"began", now_as_text()},
               {"sampling", options.is_quick ? "quick" : "full"},
               {"word", options.word},
               {"arguments", options.arguments}};
  results.update(conditions());
  results["runs"] = Json::array();
  RowFile rows;
  int failed = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    fmt::print("\n== {} of {}, after {:.0f} s: {}\n", i + 1, runs.size(), seconds_since(begin),
               describe(runs[i]));
    std::fflush(stdout);
    results["runs"].push_back(measure(runs[i], options, rows));
    if (results["runs"].back()["code"] != 0) ++failed;
    results["seconds"] = seconds_since(begin);
    write(results, options.output);
  }
  fmt::print("\n{} runs in {:.0f} s, {} failed\n", runs.size(), seconds_since(begin), failed);
  return failed;
}

int run_all(const Options& options) {
  const RunSet set = options.is_study   ? RunSet::study
                     : options.is_quick ? RunSet::quick
                                        : RunSet::full;
  const std::vector<Run> runs = select(read_runs(options.list), options.word, set);
  if (options.only_programs) {
    for (const std::string& name : programs_of(runs))
      fmt::print("{}\n", name);
    return EXIT_SUCCESS;
  }
  if (options.output.empty()) throw std::runtime_error("--output FILE is missing");
  return measure_all(runs, options) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Runs benchmark programs and writes their results to a file");
  app.add_option("--list", options.list, "the list of runs that CMake writes")->required();
  app.add_option("--word", options.word, "run only programs whose name contains this word");
  app.add_flag("--quick", options.is_quick, "run the quick set, with fewer samples");
  app.add_flag("--study", options.is_study,
               "run the study of progress modes instead; with --quick, "
               "fewer samples");
  app.add_flag("--programs", options.only_programs,
               "print the names of the programs instead of running them");
  app.add_option("--output", options.output, "JSON file for the results");
  app.add_option("--limit", options.limit_s, "time limit of a program, in seconds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("arguments", options.arguments, "arguments of all programs, after --");
  CLI11_PARSE(app, argc, argv);
  try {
    return run_all(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench-runner: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
