#include "support/Contest.h"

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

/// The number of smallest samples, and of largest, that the interval of the median can do without.
///
/// How many of n samples lie below the median is binomial. The interval from the k-th smallest to the
/// k-th largest misses it if fewer than k do, or fewer than k lie above: at most every twentieth time.
/// \returns k - 1, or nothing if not even all n samples are enough
std::optional<std::size_t> outside_of_interval(std::size_t n) {
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

/// The same if nothing were known but medians.
Outcome medians_alone(Outcome outcome) {
  for (Interval* const interval : {&outcome.ours_ns, &outcome.ratio, &outcome.difference_ns})
    interval->low = interval->high = interval->median;
  return outcome;
}

}  // namespace

Interval interval_of_median(Samples samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const double middle = samples[samples.size() / 2];
  const auto outside = outside_of_interval(samples.size());
  if (!outside) return {middle, middle, middle, false};
  return {samples[*outside], middle, samples[samples.size() - 1 - *outside]};
}

std::string text_of(const Interval& interval) {
  if (!interval.has_bounds) return fmt::format("{:.3g}", interval.median);
  return fmt::format("{:.3g} [{:.3g}, {:.3g}]", interval.median, interval.low, interval.high);
}

Outcome contest(const Contestant& ours, const Contestant& twin) {
  const std::vector<Samples> samples =
      interleave(num_medians * samples_per_median, {ours, twin, twin});
  Outcome outcome =
      outcome_of(medians_of(samples[0]), medians_of(samples[1]), medians_of(samples[2]));
  outcome.figures.measured = {samples[0], samples[1], samples[2]};
  return outcome;
}

Outcome outcome_of(const Samples& ours, const Samples& twin, const Samples& twin_again) {
  return {interval_of_median(ours),
          median(twin),
          interval_of_median(ratios(ours, twin)),
          interval_of_median(differences(ours, twin)),
          twin_again.empty() ? std::nullopt
                             : std::optional(interval_of_median(ratios(twin_again, twin))),
          {ours, twin, twin_again}};
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
          outcome.twin_to_itself ? text_of(*outcome.twin_to_itself) : "",
          outcome.figures};
  if (bar.is_met) {
    row.met = bar.is_met(outcome);
    row.by_interval = *row.met && !bar.is_met(medians_alone(outcome));
  }
  return row;
}

}  // namespace dash::bench
