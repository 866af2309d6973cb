#pragma once

#include <string>
#include <vector>

namespace dash::report {

/// A point of a series, with the spread of its samples.
struct Point {
  double x = 0;
  double low = 0;
  double y = 0;
  double high = 0;
};

/// Points joined by lines. The page defines the colours of the classes s0, s1, ...
struct Series {
  std::string name;
  std::vector<Point> points;
};

enum class Scale { linear, logarithmic };
/// What the figures of an axis are, for its labels.
enum class Quantity { bytes, units, nanoseconds, bytes_per_ns, ratio };

struct Chart {
  std::string title;
  std::string caption;  // what is compared, where
  Quantity x = Quantity::bytes;
  Quantity y = Quantity::nanoseconds;
  Scale y_scale = Scale::logarithmic;
  std::vector<Series> series;
};

/// An SVG element of its own, x being logarithmic to the base 2.
std::string draw(const Chart& chart);

/// A strip with the ratio's interval on a scale from 1/8 to 8, and a mark where the bar is.
/// \param bar  0 if there is none
std::string draw_ratio(double low, double median, double high, double bar);

/// "64 KiB", "4 units", "1.5 us", "12 GB/s", "0.98"
std::string label_of(Quantity quantity, double value);

}  // namespace dash::report
