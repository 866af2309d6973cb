#include "support/Comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

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

/// The number of samples at each end that lie outside of the confidence interval of the median.
///
/// The number of samples below the median has a binomial distribution. The interval from the k-th smallest
/// to the k-th largest sample does not contain the median if fewer than k samples lie below it, or fewer
/// than k above. The probability of that must be at most 5 %.
/// \returns k - 1, or nothing if even the full range of n samples does not reach 95 %
std::optional<std::size_t> num_outside_of_interval(std::size_t n) {
  const auto total = static_cast<double>(n);
  double missed = 0;
  std::size_t k = 0;
  for (;; ++k) {
    const auto below = static_cast<double>(k);
    missed += std::exp(std::lgamma(total + 1) - std::lgamma(below + 1) -
                       std::lgamma(total - below + 1) - total * std::log(2.0));
    if (2 * missed > 0.05) break;
  }
  return k > 0 ? std::optional(k - 1) : std::nullopt;
}

}  // namespace

Interval interval_of_median(Samples samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const double middle = samples[samples.size() / 2];
  const auto outside = num_outside_of_interval(samples.size());
  if (!outside) return {middle, middle, middle, false};
  return {samples[*outside], middle, samples[samples.size() - 1 - *outside]};
}

std::string to_string(const Interval& interval) {
  if (!interval.has_bounds) return fmt::format("{:.3g}", interval.median);
  return fmt::format("{:.3g} [{:.3g}, {:.3g}]", interval.median, interval.low, interval.high);
}

Outcome compare(const Candidate& ours, const Candidate& baseline) {
  const std::vector<Samples> samples =
      interleave(num_medians * samples_per_median, {ours, baseline, baseline});
  Outcome outcome =
      compare_samples(medians_of(samples[0]), medians_of(samples[1]), medians_of(samples[2]));
  outcome.figures.measured = {samples[0], samples[1], samples[2]};
  return outcome;
}

Outcome compare_samples(const Samples& ours, const Samples& baseline,
                        const Samples& baseline_repeated) {
  return {interval_of_median(ours),
          median(baseline),
          interval_of_median(ratios(ours, baseline)),
          interval_of_median(differences(ours, baseline)),
          baseline_repeated.empty()
              ? std::nullopt
              : std::optional(interval_of_median(ratios(baseline_repeated, baseline))),
          {ours, baseline, baseline_repeated}};
}

Goal ratio_at_most(double most) {
  return {fmt::format("<= {}", most),
          [most](const Outcome& outcome) { return outcome.ratio.median <= most; }};
}

Goal speed_at_least(double least) {
  return {fmt::format("speed >= {}", least),
          [least](const Outcome& outcome) { return outcome.ratio.median <= 1 / least; }};
}

Goal time_at_most_us(double most) {
  return {fmt::format("<= {} us", most),
          [most](const Outcome& outcome) { return outcome.ours_ns.median <= most * 1e3; }};
}

Goal overhead_at_most_ns(double most) {
  return {fmt::format("<= baseline + {} ns", most),
          [most](const Outcome& outcome) { return outcome.difference_ns.median <= most; }};
}

Row make_row(std::string name, std::string size, std::string baseline_name, const Outcome& outcome,
             const Goal& goal) {
  Row row{std::move(name),
          std::move(size),
          format_duration(outcome.ours_ns.median),
          std::move(baseline_name),
          format_duration(outcome.baseline_ns),
          to_string(outcome.ratio),
          goal.text,
          std::nullopt,
          outcome.noise ? to_string(*outcome.noise) : "",
          outcome.figures};
  if (goal.is_met) row.met = goal.is_met(outcome);
  return row;
}

}  // namespace dash::bench
