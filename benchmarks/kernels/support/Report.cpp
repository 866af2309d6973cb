#include "support/Report.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/World.h"

namespace kernels {

namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.4g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
  return fmt::format("{:.4g} s", seconds);
}

double median_total(const Outcome& outcome) {
  std::vector<double> totals;
  for (const Sample& sample : outcome.samples)
    totals.push_back(sample.total_s);
  return median(totals);
}

std::optional<double> median_communication(const Outcome& outcome) {
  std::vector<double> times;
  for (const Sample& sample : outcome.samples) {
    if (sample.communication_s) times.push_back(*sample.communication_s);
  }
  return times.empty() ? std::nullopt : std::optional(median(times));
}

}  // namespace

std::vector<Sample> take_samples(World& world, int repeat, const std::function<void()>& prepare,
                                 const std::function<void(Stopwatch& communication)>& timed) {
  std::vector<Sample> samples;
  for (int i = 0; i < repeat; ++i) {
    prepare();
    Stopwatch total;
    Stopwatch communication;
    world.barrier();
    total.time([&] {
      timed(communication);
      world.barrier();
    });
    Sample sample{world.max(total.seconds())};
    // A unit without anything to exchange has not used the stopwatch.
    const double seconds = world.max(communication.was_used() ? communication.seconds() : -1.0);
    if (seconds >= 0) sample.communication_s = seconds;
    samples.push_back(sample);
  }
  return samples;
}

double Outcome::rate() const {
  const double seconds = median_total(*this);
  return seconds > 0 ? work / seconds : 0;
}

std::string line(const std::string& name, const std::string& text) {
  return fmt::format("  {:<15}{}\n", name, text);
}

std::string describe(const Outcome& outcome) {
  std::string text = outcome.description;
  const std::size_t runs = outcome.samples.size();
  text += line("time", duration(median_total(outcome)) +
                           (runs > 1 ? fmt::format(", median of {} runs", runs) : ""));
  if (const auto seconds = median_communication(outcome)) {
    text += line("communication", duration(*seconds));
  }
  text += line("rate", fmt::format("{:.4g} {}", outcome.rate(), outcome.rate_unit));
  return text;
}

void write_report(const std::string& file, const std::string& program, const std::string& via,
                  const World& world, const Outcome& outcome) {
  auto samples = nlohmann::json::array();
  for (const Sample& sample : outcome.samples) {
    nlohmann::json one = {{"total_s", sample.total_s}};
    if (sample.communication_s) one["communication_s"] = *sample.communication_s;
    samples.push_back(one);
  }
  nlohmann::json report = {{"program", program},
                           {"via", via},
                           {"units", world.units()},
                           {"valid", outcome.failure.empty() && outcome.unverified.empty()},
                           {"samples", samples},
                           {"rate", outcome.rate()},
                           {"rate_unit", outcome.rate_unit}};
  if (const std::string progress = world.progress(); !progress.empty())
    report["progress"] = progress;
  if (outcome.result) report["result"] = *outcome.result;
  std::ofstream stream(file);
  stream << report.dump(2) << '\n';
  if (!stream.flush()) throw std::runtime_error("cannot write to '" + file + "'");
}

}  // namespace kernels
