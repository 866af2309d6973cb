#include "support/ProgramRun.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "support/Process.h"

namespace dash::bench {

namespace {

/// Puts memory from malloc into large pages, in one contiguous heap. The library uses large pages for the
/// global memory of a unit that is alone on its node; these settings do the same for its private memory,
/// and for all memory of the baselines.
constexpr const char* malloc_settings =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824:"
    "glibc.malloc.top_pad=16777216";

/// A temporary file, removed by the destructor.
class ReportFile {
 public:
  ReportFile() {
    static int count = 0;
    _path = std::filesystem::temp_directory_path() /
            fmt::format("dash-bench-{}-{}.json", ::getpid(), ++count);
  }
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  ~ReportFile() {
    std::error_code ignored;
    std::filesystem::remove(_path, ignored);
  }
  const std::filesystem::path& path() const { return _path; }

 private:
  std::filesystem::path _path;
};

Command command_of(const ProgramRun& run) {
  std::vector<std::string> words;
  if (run.is_bound) words = {"-bind-to", "core"};
  words.push_back(path_of_program(run.program));
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  Command command = command_of_units(run.units, run.layout, run.progress, words);
  command.environment.insert(command.environment.begin(), malloc_settings);
  command.environment.insert(command.environment.end(), run.environment.begin(),
                             run.environment.end());
  command.limit_s = run.limit_s;
  return command;
}

double seconds_in(const nlohmann::json& sample, const char* key) {
  const auto& value = sample.at(key);
  if (!value.is_number()) throw std::runtime_error(fmt::format("{} is {}", key, value.dump()));
  const double seconds = value.get<double>();
  if (!(seconds >= 0) || !std::isfinite(seconds)) {
    throw std::runtime_error(fmt::format("{} is {}: expected a time", key, seconds));
  }
  return seconds;
}

ProgramReport report_in(const nlohmann::json& json, int units) {
  if (!json.at("valid").get<bool>()) throw std::runtime_error("its result is not valid");
  if (json.at("units").get<int>() != units) {
    throw std::runtime_error(fmt::format("it ran with {} units", json.at("units").get<int>()));
  }
  ProgramReport report;
  for (const auto& sample : json.at("samples")) {
    report.total_s.push_back(seconds_in(sample, "total_s"));
    if (sample.contains("communication_s") && !sample["communication_s"].is_null()) {
      report.communication_s.push_back(seconds_in(sample, "communication_s"));
    }
  }
  if (report.total_s.empty()) throw std::runtime_error("it has no samples");
  if (!report.communication_s.empty() && report.communication_s.size() != report.total_s.size()) {
    throw std::runtime_error("some samples have a communication_s and some have none");
  }
  report.rate = json.value("rate", 0.0);
  report.rate_unit = json.value("rate_unit", "");
  report.progress = json.value("progress", "");
  if (json.contains("result")) report.result = json["result"].get<double>();
  return report;
}

}  // namespace

std::string ProgramRun::text() const {
  return command_of(*this).text();
}

int ProgramRun::process_count() const {
  return bench::process_count(units, layout, progress);
}

ProgramReport run(const ProgramRun& program) {
  ProgramReport report;
  run(program, [&](const std::string& text) {
    report = report_in(nlohmann::json::parse(text), program.units);
  });
  return report;
}

void run(const ProgramRun& program, const std::function<void(const std::string& report)>& read) {
  const ReportFile file;
  Command command = command_of(program);
  const std::string text = command.text();
  command.words.insert(command.words.end(), {"--report", file.path().string()});
  const ProcessResult result = run(command);
  const auto fail = [&](const std::string& why) {
    return std::runtime_error(fmt::format("{}\n{}, its output:\n{}", text, why, result.output));
  };
  std::ifstream in(file.path());
  if (result.code == 124 && program.limit_s > 0) {
    // Over TCP, MPICH before 4.2 may hang in MPI_Finalize (docs/decisions/004-finalize-over-tcp.md), when the
    // program has measured and verified everything.
    const bool may_hang_in_finalize = program.layout == "tcp" && in;
    if (!may_hang_in_finalize) throw fail(fmt::format("took longer than {} s", program.limit_s));
  } else if (result.code != 0) {
    throw fail(fmt::format("failed with code {}", result.code));
  }
  if (!in) throw fail("has not written the report that --report requests");
  try {
    read({std::istreambuf_iterator<char>(in), {}});
  } catch (const std::exception& error) {
    throw fail(fmt::format("has written a report that cannot be used: {}", error.what()));
  }
}

}  // namespace dash::bench
