#include "TimeAxis.h"

#include <fmt/format.h>

#include <algorithm>

#include "Words.h"

namespace dash::trace {

namespace {

constexpr double least_distance = 90;  // of two marks

struct TimeUnit {
  Time length;
  const char* name;
};

/// In which a step is a whole number.
TimeUnit unit_of(Time step) {
  for (const TimeUnit unit :
       {TimeUnit{1'000'000'000, "s"}, TimeUnit{1'000'000, "ms"}, TimeUnit{1'000, "us"}}) {
    if (step % unit.length == 0) return unit;
  }
  return {1, "ns"};
}

}  // namespace

TimeAxis::TimeAxis(const Interval& window, double x, double width)
    : _window({window.begin, std::max(window.end, window.begin + 1)}),
      _x(x),
      _width(width),
      _step(1) {
  const Time least = time_of_width(least_distance);
  // 1, 2, 5, 10, 20, ...
  for (Time power = 1; _step < least; power *= 10) {
    for (const Time digit : {1, 2, 5}) {
      _step = digit * power;
      if (_step >= least) break;
    }
  }
}

double TimeAxis::x(Time time) const noexcept {
  const Time at = std::clamp(time, _window.begin, _window.end);
  return _x +
         _width * static_cast<double>(at - _window.begin) / static_cast<double>(_window.length());
}

Time TimeAxis::time_of_width(double width) const noexcept {
  return static_cast<Time>(static_cast<double>(_window.length()) * width / _width);
}

Time TimeAxis::first_mark() const noexcept {
  const Time below = _window.begin / _step * _step;
  return below < _window.begin ? below + _step : below;
}

void TimeAxis::draw_grid(Svg& svg, double top, double bottom) const {
  for (Time mark = first_mark(); mark <= _window.end; mark += _step)
    svg.line(x(mark), top, x(mark), bottom + 4, "#d8d8d8");
}

void TimeAxis::draw_labels(Svg& svg, double y, bool with_unit) const {
  const TimeUnit unit = unit_of(_step);
  for (Time mark = first_mark(); mark <= _window.end; mark += _step) {
    const std::string digits =
        count_in_words(static_cast<std::uint64_t>(std::abs(mark / unit.length)));
    svg.text(x(mark), y + 17, (mark < 0 ? "-" : "") + digits, "tick", Svg::Anchor::middle);
  }
  if (with_unit) svg.text(_x + _width + 62, y + 17, unit.name, "tick", Svg::Anchor::end);
}

}  // namespace dash::trace
