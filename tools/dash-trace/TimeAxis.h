#pragma once

#include "Intervals.h"
#include "Svg.h"

namespace dash::trace {

using tools::Svg;

/// Where times are in a picture, and the marks that say so.
class TimeAxis {
 public:
  /// \param x, width  of the picture's part that shows the window
  TimeAxis(const Interval& window, double x, double width);

  double x(Time time) const noexcept;
  Time time_of_width(double width) const noexcept;

  void draw_grid(Svg& svg, double top, double bottom) const;
  /// Below y. \param with_unit  say what they count
  void draw_labels(Svg& svg, double y, bool with_unit) const;

 private:
  Time first_mark() const noexcept;

  Interval _window;
  double _x;
  double _width;
  Time _step;  // between marks
};

}  // namespace dash::trace
