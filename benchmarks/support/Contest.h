#pragma once

/// \file
/// A contest of ours with its twin, and what a table says of it.

#include <functional>
#include <optional>
#include <string>

#include "support/Measure.h"
#include "support/Table.h"

namespace dash::bench {

/// Where the median of what samples are drawn from lies: `low` to `high` with 95 % certainty.
struct Interval {
  double low = 0;
  double median = 0;
  double high = 0;
  /// Of fewer than six samples not even the range of all of them holds it: then both are the median.
  bool has_bounds = true;
};

/// By order statistics; nothing is assumed of the distribution.
Interval interval_of_median(Samples samples);

/// "1.05 [1.01, 1.09]"; of too few samples "1.05"
std::string text_of(const Interval& interval);

struct Outcome {
  Interval ours_ns;
  double twin_ns = 0;
  Interval ratio;
  Interval difference_ns;
  // The ratio of two contestants that are the same: the noise; none if there was but one.
  std::optional<Interval> twin_to_itself;
  Figures figures;
};

/// Takes 21 medians of ours, the twin and the twin once more, in turns. A median is of five samples.
/// \collective over all units; unit 0's outcome counts
Outcome contest(const Contestant& ours, const Contestant& twin);

/// The same of medians that were taken otherwise, in turns.
/// \param twin_again  may be empty: then nothing is said of the noise
Outcome outcome_of(const Samples& ours, const Samples& twin, const Samples& twin_again);

/// What the outcome has to hold, and the text of it.
struct Bar {
  std::string text;
  std::function<bool(const Outcome&)> is_met;
};

/// A bar is met when the interval reaches it; with too few samples for one, when the median does.
Bar ratio_at_most(double most);
/// For bandwidths: the twin's time over ours.
Bar speed_at_least(double least);
Bar ns_more_at_most(double most);
/// Of ours alone.
Bar us_at_most(double most);

/// \param bar  may be empty: nothing is asked
Row row_of(std::string what, std::string size, std::string twin_name, const Outcome& outcome,
           const Bar& bar = {});

}  // namespace dash::bench
