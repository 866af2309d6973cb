#include "support/Programs.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "dash/core/Clock.h"
#include "dash/core/Topology.h"
#include "support/Effort.h"
#include "support/Process.h"

namespace dash::bench {

namespace {

constexpr int fewest_rounds = 3;
constexpr double ns_per_s = 1e9;
constexpr double same_result = 1e-12;  // of it

/// Ours has its global memory in large pages where a unit is alone on its node. With these its private
/// memory and all memory of the twins is in large pages, too: that from malloc in one range, which asks for
/// them.
constexpr const char* malloc_settings =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824:"
    "glibc.malloc.top_pad=16777216";

/// A file that goes with the object.
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
  Command command = command_of_units(run.units, run.layout, words);
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
    throw std::runtime_error(fmt::format("{} is {}: a time was expected", key, seconds));
  }
  return seconds;
}

ProgramReport report_in(const nlohmann::json& json, int units) {
  if (!json.at("valid").get<bool>()) throw std::runtime_error("its result is not valid");
  if (json.at("units").get<int>() != units) {
    throw std::runtime_error(fmt::format("it had {} units", json.at("units").get<int>()));
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

Samples shifted(Samples samples) {
  std::rotate(samples.begin(), samples.begin() + 1, samples.end());
  return samples;
}

void append_ns(Samples& to, const Samples& seconds) {
  for (const double each : seconds)
    to.push_back(ns_per_s * each);
}

}  // namespace

std::string ProgramRun::text() const {
  return command_of(*this).text();
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
  const Ended ended = run(command);
  const auto fail = [&](const std::string& why) {
    return std::runtime_error(fmt::format("{}\n{}, its output:\n{}", text, why, ended.output));
  };
  std::ifstream in(file.path());
  if (ended.code == 124 && program.limit_s > 0) {
    // MPICH before 4.2 may hang in MPI_Finalize there (docs/decisions/004-finalize-over-tcp.md), after
    // all has been measured and verified.
    const bool may_hang_at_end = program.layout == "tcp" && in;
    if (!may_hang_at_end) throw fail(fmt::format("took longer than {} s", program.limit_s));
  } else if (ended.code != 0) {
    throw fail(fmt::format("failed with code {}", ended.code));
  }
  if (!in) throw fail("has not written the report that --report asked for");
  try {
    read({std::istreambuf_iterator<char>(in), {}});
  } catch (const std::exception& error) {
    throw fail(fmt::format("has written a report that cannot be used: {}", error.what()));
  }
}

std::vector<Contender> twins_by_mpi(const ProgramRun& ours, const std::vector<std::string>& vias) {
  std::vector<Contender> twins;
  for (const std::string& via : vias) {
    ProgramRun run = ours;
    run.program += "_mpi";
    run.arguments.insert(run.arguments.end(), {"--via", via});
    run.is_bound = run.units <= core::this_thread_affinity().count();
    twins.push_back({via, run});
  }
  return twins;
}

ProgramContest::ProgramContest(ProgramRun ours, std::vector<Contender> twins, Rounds rounds) {
  _figures.push_back({.name = "ours", .run = std::move(ours)});
  for (Contender& twin : twins)
    _figures.push_back({.name = std::move(twin.name), .run = std::move(twin.run)});
  const int most = rounds_at_effort(rounds.most);
  const double goal_ns = ns_per_s * seconds_at_effort(rounds.goal_s);
  const std::uint64_t begin = core::now_ns();
  for (int round = 0; round < most; ++round) {
    const auto elapsed = static_cast<double>(core::now_ns() - begin);
    if (round >= fewest_rounds && elapsed * (round + 1) / round > goal_ns) break;
    run_round(round % 2 == 1);
  }
}

void ProgramContest::run_round(bool in_reverse) {
  for (std::size_t i = 0; i < _figures.size(); ++i)
    take(_figures[in_reverse ? _figures.size() - 1 - i : i]);
}

void ProgramContest::take(Measured& figures) {
  const ProgramReport report = run(figures.run);
  compare(figures.run.text(), report.result);
  figures.total_ns.push_back(ns_per_s * median(report.total_s));
  append_ns(figures.each_total_ns, report.total_s);
  if (!report.communication_s.empty()) {
    figures.communication_ns.push_back(ns_per_s * median(report.communication_s));
    append_ns(figures.each_communication_ns, report.communication_s);
  }
  figures.rates.push_back(report.rate);
  figures.rate_unit = report.rate_unit;
  figures.progress = report.progress;
}

void ProgramContest::compare(const std::string& text, const std::optional<double>& result) {
  if (!result) return;
  if (!_result) _result = {*result, text};
  if (std::abs(*result - _result->value) <= same_result * std::abs(_result->value)) return;
  throw std::runtime_error(fmt::format("{}\nhas the result {:.17g}, but\n{}\nhas {:.17g}", text,
                                       *result, _result->of, _result->value));
}

int ProgramContest::rounds() const {
  return static_cast<int>(ours().total_ns.size());
}

const ProgramContest::Measured& ProgramContest::of(const std::string& name) const {
  const auto found = std::find_if(_figures.begin(), _figures.end(),
                                  [&](const Measured& each) { return each.name == name; });
  if (found != _figures.end()) return *found;
  throw std::invalid_argument(fmt::format("there is no twin '{}' in this contest", name));
}

const std::string& ProgramContest::best_twin() const {
  if (_figures.size() < 2) throw std::invalid_argument("there is no twin in this contest");
  return std::min_element(_figures.begin() + 1, _figures.end(),
                          [](const Measured& a, const Measured& b) {
                            return median(a.total_ns) < median(b.total_ns);
                          })
      ->name;
}

Outcome ProgramContest::outcome(const Measured& twin, Samples Measured::*medians,
                                Samples Measured::*each) const {
  const Samples& theirs = twin.*medians;
  Outcome outcome = outcome_of(ours().*medians, theirs, shifted(theirs));
  // Nothing was measured again.
  outcome.figures.twin_again.clear();
  outcome.figures.measured = {ours().*each, twin.*each, {}};
  outcome.figures.ours_from = {ours().run.text(), ours().progress};
  outcome.figures.twin_from = {twin.run.text(), twin.progress};
  return outcome;
}

Outcome ProgramContest::total(const std::string& twin) const {
  return outcome(of(twin), &Measured::total_ns, &Measured::each_total_ns);
}

Outcome ProgramContest::communication(const std::string& twin) const {
  for (const Measured* each : {&ours(), &of(twin)}) {
    if (each->communication_ns.size() != each->total_ns.size()) {
      throw std::invalid_argument(
          fmt::format("{}\ndoes not report communication_s", each->run.text()));
    }
  }
  return outcome(of(twin), &Measured::communication_ns, &Measured::each_communication_ns);
}

Figures ProgramContest::rates() const {
  Figures figures;
  figures.ours = ours().rates;
  figures.unit = ours().rate_unit;
  figures.ours_from = {ours().run.text(), ours().progress};
  return figures;
}

double ProgramContest::rate(const std::string& twin) const {
  return median(of(twin).rates);
}

Row ProgramContest::total_row(const std::string& what, const std::string& size,
                              const Bar& bar) const {
  return total_row(what, size, best_twin(), bar);
}

Row ProgramContest::total_row(const std::string& what, const std::string& size,
                              const std::string& twin, const Bar& bar) const {
  return row_of(what, size, twin, total(twin), bar);
}

void ProgramContest::add_total_rows(Table& table, const std::string& what, const std::string& size,
                                    const Bar& bar) const {
  const std::string best = best_twin();
  for (auto twin = _figures.begin() + 1; twin != _figures.end(); ++twin)
    table.add(total_row(what, size, twin->name, twin->name == best ? bar : Bar{}));
}

Row ProgramContest::communication_row(const std::string& what, const std::string& size,
                                      const std::string& twin, const Bar& bar) const {
  return row_of(what + ", communication", size, twin, communication(twin), bar);
}

}  // namespace dash::bench
