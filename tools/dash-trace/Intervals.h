#pragma once

#include <cstdint>
#include <vector>

namespace dash::trace {

/// Nanoseconds since the end of the initialization, which is the zero of the timeline.
using Time = std::int64_t;

/// The half-open interval [begin, end).
struct Interval {
  Time begin = 0;
  Time end = 0;

  Time length() const noexcept { return end > begin ? end - begin : 0; }
  bool operator==(const Interval&) const = default;
};

/// The intersection of two intervals; an interval of length 0 if it is empty.
Interval intersection(const Interval& a, const Interval& b) noexcept;

/// A set of points in time, stored as sorted intervals that neither overlap nor touch.
class TimeSet {
 public:
  TimeSet() = default;
  /// The union of intervals, which may overlap.
  explicit TimeSet(std::vector<Interval> intervals);

  const std::vector<Interval>& intervals() const noexcept { return _intervals; }
  bool empty() const noexcept { return _intervals.empty(); }
  Time length() const noexcept;

 private:
  std::vector<Interval> _intervals;
};

TimeSet operator|(const TimeSet& a, const TimeSet& b);
TimeSet operator&(const TimeSet& a, const TimeSet& b);
/// The points of `a` that are not in `b`.
TimeSet operator-(const TimeSet& a, const TimeSet& b);

}  // namespace dash::trace
