#include "Intervals.h"

#include <algorithm>

namespace dash::trace {

Interval intersection(const Interval& a, const Interval& b) noexcept {
  const Time begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

TimeSet::TimeSet(std::vector<Interval> intervals) : _intervals(std::move(intervals)) {
  std::sort(_intervals.begin(), _intervals.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::size_t count = 0;
  for (const Interval& next : _intervals) {
    if (next.length() == 0) continue;
    if (count != 0 && next.begin <= _intervals[count - 1].end) {
      _intervals[count - 1].end = std::max(_intervals[count - 1].end, next.end);
    } else {
      _intervals[count++] = next;
    }
  }
  _intervals.resize(count);
}

Time TimeSet::length() const noexcept {
  Time sum = 0;
  for (const Interval& interval : _intervals)
    sum += interval.length();
  return sum;
}

TimeSet operator|(const TimeSet& a, const TimeSet& b) {
  std::vector<Interval> all = a.intervals();
  all.insert(all.end(), b.intervals().begin(), b.intervals().end());
  return TimeSet(std::move(all));
}

TimeSet operator&(const TimeSet& a, const TimeSet& b) {
  std::vector<Interval> common;
  auto x = a.intervals().begin();
  auto y = b.intervals().begin();
  while (x != a.intervals().end() && y != b.intervals().end()) {
    const Interval both = intersection(*x, *y);
    if (both.length() != 0) common.push_back(both);
    x->end < y->end ? ++x : ++y;
  }
  return TimeSet(std::move(common));
}

TimeSet operator-(const TimeSet& a, const TimeSet& b) {
  std::vector<Interval> difference;
  auto hole = b.intervals().begin();
  for (Interval rest : a.intervals()) {
    while (hole != b.intervals().end() && hole->end <= rest.begin)
      ++hole;
    // `hole` is not advanced here: it may overlap the next interval, too.
    for (auto next = hole; next != b.intervals().end() && next->begin < rest.end; ++next) {
      if (next->begin > rest.begin) difference.push_back({rest.begin, next->begin});
      rest.begin = std::max(rest.begin, next->end);
    }
    if (rest.length() != 0) difference.push_back(rest);
  }
  return TimeSet(std::move(difference));
}

}  // namespace dash::trace
