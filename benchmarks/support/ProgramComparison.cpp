#include "support/ProgramComparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "dash/core/Clock.h"
#include "dash/core/Topology.h"
#include "support/Sampling.h"

namespace dash::bench {

namespace {

constexpr int min_rounds = 3;
constexpr double ns_per_s = 1e9;
constexpr double result_tolerance = 1e-12;  // relative

/// Pairs each sample with the one of the next round.
Samples shifted(Samples samples) {
  std::rotate(samples.begin(), samples.begin() + 1, samples.end());
  return samples;
}

void append_ns(Samples& to, const Samples& seconds) {
  for (const double each : seconds)
    to.push_back(ns_per_s * each);
}

}  // namespace

std::vector<BaselineProgram> mpi_baselines(const ProgramRun& ours,
                                           const std::vector<std::string>& vias) {
  std::vector<BaselineProgram> baselines;
  for (const std::string& via : vias) {
    ProgramRun run = ours;
    run.program += "_mpi";
    run.progress = "auto";
    run.arguments.insert(run.arguments.end(), {"--via", via});
    run.is_bound = run.units <= core::this_thread_affinity().count();
    baselines.push_back({via, run});
  }
  return baselines;
}

ProgramComparison::ProgramComparison(ProgramRun ours, std::vector<BaselineProgram> baselines,
                                     Rounds rounds) {
  _programs.push_back({.name = "ours", .run = std::move(ours)});
  for (BaselineProgram& baseline : baselines)
    _programs.push_back({.name = std::move(baseline.name), .run = std::move(baseline.run)});
  const int most = scaled_rounds(rounds.most);
  const double budget_ns = ns_per_s * scaled_seconds(rounds.budget_s);
  const std::uint64_t begin = core::now_ns();
  for (int round = 0; round < most; ++round) {
    const auto elapsed = static_cast<double>(core::now_ns() - begin);
    if (round >= min_rounds && elapsed * (round + 1) / round > budget_ns) break;
    run_round(round % 2 == 1);
  }
}

void ProgramComparison::run_round(bool in_reverse) {
  for (std::size_t i = 0; i < _programs.size(); ++i)
    run_once(_programs[in_reverse ? _programs.size() - 1 - i : i]);
}

void ProgramComparison::run_once(Measured& program) {
  const ProgramReport report = run(program.run);
  check_result(program.run.text(), report.result);
  program.total_ns.push_back(ns_per_s * median(report.total_s));
  append_ns(program.each_total_ns, report.total_s);
  if (!report.communication_s.empty()) {
    program.communication_ns.push_back(ns_per_s * median(report.communication_s));
    append_ns(program.each_communication_ns, report.communication_s);
  }
  program.rates.push_back(report.rate);
  program.rate_unit = report.rate_unit;
  program.progress = report.progress;
}

void ProgramComparison::check_result(const std::string& command,
                                     const std::optional<double>& result) {
  if (!result) return;
  if (!_result) _result = {*result, command};
  if (std::abs(*result - _result->value) <= result_tolerance * std::abs(_result->value)) return;
  throw std::runtime_error(fmt::format("{}\nhas the result {:.17g}, but\n{}\nhas {:.17g}", command,
                                       *result, _result->command, _result->value));
}

int ProgramComparison::rounds() const {
  return static_cast<int>(ours().total_ns.size());
}

const ProgramComparison::Measured& ProgramComparison::find(const std::string& name) const {
  const auto found = std::find_if(_programs.begin(), _programs.end(),
                                  [&](const Measured& each) { return each.name == name; });
  if (found != _programs.end()) return *found;
  throw std::invalid_argument(fmt::format("there is no baseline '{}' in this comparison", name));
}

const std::string& ProgramComparison::best_baseline() const {
  if (_programs.size() < 2) throw std::invalid_argument("there is no baseline in this comparison");
  return std::min_element(_programs.begin() + 1, _programs.end(),
                          [](const Measured& a, const Measured& b) {
                            return median(a.total_ns) < median(b.total_ns);
                          })
      ->name;
}

Outcome ProgramComparison::outcome(const Measured& baseline, Samples Measured::*medians,
                                   Samples Measured::*each) const {
  const Samples& theirs = baseline.*medians;
  Outcome outcome = compare_samples(ours().*medians, theirs, shifted(theirs));
  // The shifted samples serve for the noise only: they are no second measurement of the baseline.
  outcome.figures.baseline_repeated.clear();
  outcome.figures.measured = {ours().*each, baseline.*each, {}};
  outcome.figures.ours_origin = {ours().run.text(), ours().progress};
  outcome.figures.baseline_origin = {baseline.run.text(), baseline.progress};
  return outcome;
}

Outcome ProgramComparison::total(const std::string& baseline) const {
  return outcome(find(baseline), &Measured::total_ns, &Measured::each_total_ns);
}

Outcome ProgramComparison::communication(const std::string& baseline) const {
  for (const Measured* each : {&ours(), &find(baseline)}) {
    if (each->communication_ns.size() != each->total_ns.size()) {
      throw std::invalid_argument(
          fmt::format("the report has no communication_s: {}", each->run.text()));
    }
  }
  return outcome(find(baseline), &Measured::communication_ns, &Measured::each_communication_ns);
}

Figures ProgramComparison::rates() const {
  Figures figures;
  figures.ours = ours().rates;
  figures.unit = ours().rate_unit;
  figures.ours_origin = {ours().run.text(), ours().progress};
  return figures;
}

double ProgramComparison::rate(const std::string& program) const {
  return median(find(program).rates);
}

Row ProgramComparison::total_row(const std::string& name, const std::string& size,
                                 const Goal& goal) const {
  return total_row(name, size, best_baseline(), goal);
}

Row ProgramComparison::total_row(const std::string& name, const std::string& size,
                                 const std::string& baseline, const Goal& goal) const {
  return make_row(name, size, baseline, total(baseline), goal);
}

void ProgramComparison::add_total_rows(Table& table, const std::string& name,
                                       const std::string& size, const Goal& goal) const {
  const std::string best = best_baseline();
  for (auto baseline = _programs.begin() + 1; baseline != _programs.end(); ++baseline)
    table.add(total_row(name, size, baseline->name, baseline->name == best ? goal : Goal{}));
}

Row ProgramComparison::communication_row(const std::string& name, const std::string& size,
                                         const std::string& baseline, const Goal& goal) const {
  return make_row(name + ", communication", size, baseline, communication(baseline), goal);
}

}  // namespace dash::bench
