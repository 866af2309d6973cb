#include "Steps.h"

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

constexpr double enough_seconds = 0.5;
constexpr long turns = 4;

}  // namespace

long steps_of_a_turn(double seconds_a_step) {
  const double affordable = std::min(enough_seconds / std::max(seconds_a_step, 1e-9), 1e6);
  return std::clamp(static_cast<long>(affordable) / turns, 1L, 250L);
}

Comparison compare(long steps_a_turn, const std::function<StepTimes(long, Exchange)>& run,
                   const std::function<TimesOfUnits(const StepTimes&)>& collect,
                   const std::function<void()>& before_last) {
  std::array ways{Exchange::overlapped, Exchange::left_out, Exchange::first};
  static_assert(ways.size() == exchanges && turns % 2 == 0);
  std::array<StepTimes, exchanges> times;
  for (long turn = 0; turn < turns; ++turn) {
    for (const Exchange way : ways) {
      if (turn == turns - 1 && way == Exchange::overlapped) before_last();
      times.at(static_cast<std::size_t>(way)) += run(steps_a_turn, way);
    }
    std::reverse(ways.begin(), ways.end());
  }
  Comparison comparison{turns * steps_a_turn, {}};
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

Spread a_step(const TimesOfUnits& times, double StepTimes::*quantity) {
  Spread spread;
  for (const auto& unit : times) {
    const double value = unit.steps > 0 ? unit.*quantity / static_cast<double>(unit.steps) : 0;
    spread.mean += value / static_cast<double>(times.size());
    spread.most = std::max(spread.most, value);
  }
  return spread;
}

std::string describe(const Comparison& comparison) {
  if (comparison.steps == 0) return {};
  std::string text;
  const auto describe_way = [&](const char* name, Exchange way) {
    const auto& of_way = comparison.times.at(static_cast<std::size_t>(way));
    text += line(name, fmt::format("{} a step, of it {} waiting",
                                   duration(a_step(of_way, &StepTimes::total).most),
                                   duration(a_step(of_way, &StepTimes::waiting).mean)));
  };
  describe_way(" with overlap", Exchange::overlapped);
  describe_way(" without", Exchange::first);
  describe_way(" no exchange", Exchange::left_out);
  return text +
         line("", fmt::format("(compared over {} further steps of each kind, taken in turns)",
                              comparison.steps));
}

double longest_total(const TimesOfUnits& times) {
  double longest = 0;
  for (const auto& unit : times)
    longest = std::max(longest, unit.total);
  return longest;
}

void write_report(const std::string& path, const RunFacts& facts, const TimesOfUnits& times,
                  const Comparison& comparison) {
  nlohmann::json report = {
      {"program", facts.program},     {"via", facts.via},
      {"units", times.size()},        {"verified", facts.is_verified},
      {"steps", times.front().steps}, {"step_s", a_step(times, &StepTimes::total).most}};
  if (!facts.progress.empty()) report["progress"] = facts.progress;
  if (comparison.steps > 0) {
    const auto seconds = [&](Exchange way) {
      return a_step(comparison.times.at(static_cast<std::size_t>(way)), &StepTimes::total).most;
    };
    report["compared"] = {{"steps", comparison.steps},
                          {"overlapped_s", seconds(Exchange::overlapped)},
                          {"first_s", seconds(Exchange::first)},
                          {"left_out_s", seconds(Exchange::left_out)}};
  }
  std::ofstream stream(path);
  stream << report.dump(2) << '\n';
  if (!stream.flush()) throw apps::UserError("cannot write to '" + path + "'");
}

}  // namespace terrain
