#include "report/Steps.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/Error.h"

namespace terrain {

StepTimes& StepTimes::operator+=(const StepTimes& other) {
  steps += other.steps;
  total += other.total;
  starting += other.starting;
  waiting += other.waiting;
  return *this;
}

namespace {

constexpr double total_seconds = 0.5;
constexpr long rounds = 4;

}  // namespace

long steps_per_round(double seconds_per_step) {
  const double affordable = std::min(total_seconds / std::max(seconds_per_step, 1e-9), 1e6);
  return std::clamp(static_cast<long>(affordable) / rounds, 1L, 250L);
}

Comparison compare(long steps_in_round, const std::function<StepTimes(long, Exchange)>& run,
                   const std::function<TimesOfUnits(const StepTimes&)>& collect,
                   const std::function<void()>& before_last) {
  std::array kinds{Exchange::overlapped, Exchange::none, Exchange::blocking};
  // The order is reversed after each round; an even number of rounds ends with overlapped steps.
  static_assert(kinds.size() == exchanges && rounds % 2 == 0);
  std::array<StepTimes, exchanges> times;
  for (long round = 0; round < rounds; ++round) {
    for (const Exchange kind : kinds) {
      if (round == rounds - 1 && kind == Exchange::overlapped) before_last();
      times.at(static_cast<std::size_t>(kind)) += run(steps_in_round, kind);
    }
    std::reverse(kinds.begin(), kinds.end());
  }
  Comparison comparison{rounds * steps_in_round, {}};
  for (const StepTimes& own : times)
    comparison.times.push_back(collect(own));
  return comparison;
}

std::string line(const std::string& name, const std::string& text) {
  return fmt::format("  {:<15}{}\n", name, text);
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

Spread per_step(const TimesOfUnits& times, double StepTimes::*quantity) {
  Spread spread;
  for (const auto& unit : times) {
    const double value = unit.steps > 0 ? unit.*quantity / static_cast<double>(unit.steps) : 0;
    spread.mean += value / static_cast<double>(times.size());
    spread.max = std::max(spread.max, value);
  }
  return spread;
}

std::string describe(const Comparison& comparison) {
  if (comparison.steps == 0) return {};
  std::string text;
  const auto describe_kind = [&](const char* name, Exchange kind) {
    const auto& times = comparison.times.at(static_cast<std::size_t>(kind));
    text += line(name, fmt::format("{} per step, including {} of waiting",
                                   duration(per_step(times, &StepTimes::total).max),
                                   duration(per_step(times, &StepTimes::waiting).mean)));
  };
  describe_kind(" with overlap", Exchange::overlapped);
  describe_kind(" without", Exchange::blocking);
  describe_kind(" no exchange", Exchange::none);
  return text + line("", fmt::format("(from {} further steps of each kind, interleaved)",
                                     comparison.steps));
}

double max_total(const TimesOfUnits& times) {
  double longest = 0;
  for (const auto& unit : times)
    longest = std::max(longest, unit.total);
  return longest;
}

void write_report(const std::string& path, const RunFacts& facts, const TimesOfUnits& times,
                  const Comparison& comparison) {
  const auto steps = times.front().steps;
  const double step_s = per_step(times, &StepTimes::total).max;
  const nlohmann::json sample = {{"total_s", step_s * static_cast<double>(steps)}};
  nlohmann::json report = {{"program", facts.program},
                           {"via", facts.via},
                           {"units", times.size()},
                           {"valid", facts.is_verified},
                           {"steps", steps},
                           {"step_s", step_s},
                           {"samples", nlohmann::json::array({sample})}};
  if (!facts.progress.empty()) report["progress"] = facts.progress;
  if (comparison.steps > 0) {
    const auto seconds = [&](Exchange kind) {
      return per_step(comparison.times.at(static_cast<std::size_t>(kind)), &StepTimes::total).max;
    };
    report["compared"] = {{"steps", comparison.steps},
                          {"overlapped_s", seconds(Exchange::overlapped)},
                          {"first_s", seconds(Exchange::blocking)},
                          {"left_out_s", seconds(Exchange::none)}};
  }
  std::ofstream stream(path);
  stream << report.dump(2) << '\n';
  if (!stream.flush()) throw apps::UserError("cannot write to '" + path + "'");
}

}  // namespace terrain
