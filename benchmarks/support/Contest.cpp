#include "support/Contest.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace dash::bench {

namespace {

constexpr int num_medians = 21;
constexpr int samples_per_median = 5;

Samples medians_of(const Samples& samples) {
  Samples medians;
  for (std::size_t i = 0; i + samples_per_median <= samples.size(); i += samples_per_median) {
    const auto begin = samples.begin() + static_cast<std::ptrdiff_t>(i);
    medians.push_back(median(Samples(begin, begin + samples_per_median)));
  }
  return medians;
}

}  // namespace

Interval interval_of_median(Samples samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  // How many of n samples lie below the median is binomial; 1.96 standard deviations hold 95 %.
  // The k-th smallest, counted from 1, is at k - 1.
  const auto n = static_cast<double>(samples.size());
  const double below = (n - 1.96 * std::sqrt(n)) / 2;
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(below) - 1));
  return {samples[low], samples[samples.size() / 2], samples[samples.size() - 1 - low]};
}

std::string text_of(const Interval& interval) {
  return fmt::format("{:.3g} [{:.3g}, {:.3g}]", interval.median, interval.low, interval.high);
}

Outcome contest(const Contestant& ours, const Contestant& twin) {
  const std::vector<Samples> samples =
      interleave(num_medians * samples_per_median, {ours, twin, twin});
  return outcome_of(medians_of(samples[0]), medians_of(samples[1]), medians_of(samples[2]));
}

Outcome outcome_of(const Samples& ours, const Samples& twin, const Samples& twin_again) {
  return {interval_of_median(ours), median(twin), interval_of_median(ratios(ours, twin)),
          interval_of_median(differences(ours, twin)),
          interval_of_median(ratios(twin_again, twin))};
}

Bar ratio_at_most(double most) {
  return {fmt::format("<= {}", most),
          [most](const Outcome& outcome) { return outcome.ratio.low <= most; }};
}

Bar speed_at_least(double least) {
  return {fmt::format("speed >= {}", least),
          [least](const Outcome& outcome) { return outcome.ratio.low <= 1 / least; }};
}

Bar us_at_most(double most) {
  return {fmt::format("<= {} us", most),
          [most](const Outcome& outcome) { return outcome.ours_ns.low <= most * 1e3; }};
}

Bar ns_more_at_most(double most) {
  return {fmt::format("<= twin + {} ns", most),
          [most](const Outcome& outcome) { return outcome.difference_ns.low <= most; }};
}

Row row_of(std::string what, std::string size, std::string twin_name, const Outcome& outcome,
           const Bar& bar) {
  Row row{std::move(what),
          std::move(size),
          duration(outcome.ours_ns.median),
          std::move(twin_name),
          duration(outcome.twin_ns),
          text_of(outcome.ratio),
          bar.text,
          std::nullopt,
          text_of(outcome.twin_to_itself)};
  if (bar.is_met) row.met = bar.is_met(outcome);
  return row;
}

}  // namespace dash::bench
