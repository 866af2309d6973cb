#pragma once

/// \file
/// Comparison of an operation of the library with a baseline, and its row of a table.

#include <functional>
#include <optional>
#include <string>

#include "support/Measure.h"
#include "support/Table.h"

namespace dash::bench {

/// Confidence interval of a median: the median of the population lies in [low, high] with 95 % probability.
struct Interval {
  double low = 0;
  double median = 0;
  double high = 0;
  /// False for fewer than six samples, whose full range does not reach 95 %; `low` and `high` equal
  /// `median` then.
  bool has_bounds = true;
};

/// Computes the interval from order statistics, which assume no particular distribution.
Interval interval_of_median(Samples samples);

/// "1.05 [1.01, 1.09]", or "1.05" if the interval has no bounds
std::string to_string(const Interval& interval);

/// The result of a comparison.
struct Outcome {
  Interval ours_ns;
  double baseline_ns = 0;
  Interval ratio;
  Interval difference_ns;
  /// The ratio of two measurements of the same baseline; nothing if it was measured only once.
  std::optional<Interval> noise;
  Figures figures;
};

/// Takes 21 medians of ours, of the baseline, and of the baseline a second time, interleaved. Each median
/// is over five samples.
/// \collective over all units; the outcome is valid at unit 0
Outcome compare(const Candidate& ours, const Candidate& baseline);

/// Compares samples that the caller has taken interleaved.
/// \param baseline_repeated  a second measurement of the baseline; if empty, the outcome has no noise
Outcome compare_samples(const Samples& ours, const Samples& baseline,
                        const Samples& baseline_repeated);

/// A performance goal: the text that the table shows, and its condition.
struct Goal {
  std::string text;
  std::function<bool(const Outcome&)> is_met;
};

/// A goal is met if the median reaches it.
Goal ratio_at_most(double most);
/// For bandwidths: a bound on the time of the baseline divided by ours.
Goal speed_at_least(double least);
/// At most `most` nanoseconds more than the baseline.
Goal overhead_at_most_ns(double most);
/// A bound on our time alone, in microseconds.
Goal time_at_most_us(double most);

/// \param goal  may be empty: the row has no goal
Row make_row(std::string name, std::string size, std::string baseline_name, const Outcome& outcome,
             const Goal& goal = {});

}  // namespace dash::bench
