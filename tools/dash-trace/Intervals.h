#pragma once

#include <cstdint>
#include <vector>

namespace dash::trace {

/// Nanoseconds since the zero of the timeline.
using Time = std::int64_t;

/// From `begin` to `end`, which is not part of it.
struct Interval {
  Time begin = 0;
  Time end = 0;

  Time length() const noexcept { return end > begin ? end - begin : 0; }
  bool operator==(const Interval&) const = default;
};

/// The part of `a` in `b`; of no length if there is none.
Interval intersection(const Interval& a, const Interval& b) noexcept;

/// A set of points in time: intervals that neither overlap nor touch, in order.
class TimeSet {
 public:
  TimeSet() = default;
  /// Their union.
  explicit TimeSet(std::vector<Interval> intervals);

  const std::vector<Interval>& intervals() const noexcept { return _intervals; }
  bool empty() const noexcept { return _intervals.empty(); }
  Time length() const noexcept;

 private:
  std::vector<Interval> _intervals;
};

TimeSet operator|(const TimeSet& a, const TimeSet& b);
TimeSet operator&(const TimeSet& a, const TimeSet& b);
/// What of `a` is not in `b`.
TimeSet operator-(const TimeSet& a, const TimeSet& b);

}  // namespace dash::trace
