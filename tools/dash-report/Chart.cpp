#include "Chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "Svg.h"

namespace dash::report {

namespace {

using tools::Svg;

constexpr double width = 440;
constexpr double height = 250;
constexpr double left = 62;
constexpr double right = 14;
constexpr double top = 12;
constexpr double bottom = 50;
/// Series have so many classes of their own: s0, s1, ...
constexpr std::size_t num_classes = 4;
constexpr const char* ink = "var(--ink)";
constexpr const char* grid = "var(--grid)";

std::string colour_of(std::size_t series) {
  return fmt::format("var(--s{})", series % num_classes);
}

/// From figures to places on one axis.
struct Axis {
  Scale scale = Scale::linear;
  double from = 0;
  double to = 1;
  double begin = 0;
  double end = 1;

  double at(double value) const {
    const double share = scale == Scale::linear ? (value - from) / (to - from)
                                                : std::log(value / from) / std::log(to / from);
    return begin + (end - begin) * share;
  }
};

/// The least and the largest of all that is drawn.
struct Range {
  double least = HUGE_VAL;
  double most = -HUGE_VAL;
  void include(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

std::vector<double> linear_ticks(double from, double to) {
  const double rough = (to - from) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= rough) {
      step = digit * power;
      break;
    }
  }
  std::vector<double> ticks;
  for (double tick = std::ceil(from / step) * step; tick <= to * 1.0001; tick += step)
    ticks.push_back(tick);
  return ticks;
}

/// One, two and five of each power of ten; fewer if that is many, even steps if it is hardly any.
std::vector<double> decimal_ticks(double from, double to) {
  std::vector<double> ticks;
  const bool is_wide = std::log10(to / from) > 2;
  for (double power = std::pow(10, std::floor(std::log10(from))); power <= to; power *= 10) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (is_wide && digit != 1.0) continue;
      const double tick = power * digit;
      if (tick >= from * 0.999 && tick <= to * 1.001) ticks.push_back(tick);
    }
  }
  return ticks.size() < 3 ? linear_ticks(from, to) : ticks;
}

Axis x_axis(const Chart& chart) {
  Range range;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points)
      range.include(point.x);
  }
  return {Scale::logarithmic, range.least / 1.3, range.most * 1.3, left, width - right};
}

Axis y_axis(const Chart& chart) {
  Range range;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      range.include(point.low);
      range.include(point.high);
    }
  }
  if (chart.y == Quantity::ratio) range.include(1);
  double from = range.least / 1.2;
  double to = range.most * 1.2;
  if (chart.y_scale == Scale::linear) {
    const double margin = 0.08 * std::max(range.most - range.least, 0.1);
    from = range.least - margin;
    to = range.most + margin;
  }
  return {chart.y_scale, from, to, height - bottom, top};
}

void draw_y_axis(const Chart& chart, const Axis& y, Svg& svg) {
  const auto ticks =
      y.scale == Scale::linear ? linear_ticks(y.from, y.to) : decimal_ticks(y.from, y.to);
  for (const double tick : ticks) {
    const double place = y.at(tick);
    const bool is_one = chart.y == Quantity::ratio && std::abs(tick - 1) < 1e-9;
    svg.line(left, place, width - right, place, is_one ? ink : grid);
    svg.text(left - 6, place + 4, label_of(chart.y, tick), "tick", Svg::Anchor::end);
  }
}

void draw_x_axis(const Chart& chart, const Axis& x, Svg& svg) {
  std::vector<double> values;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points)
      values.push_back(point.x);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  double free_from = 0;
  for (const double value : values) {
    const double place = x.at(value);
    svg.line(place, height - bottom, place, height - bottom + 4, ink);
    if (place < free_from) continue;
    svg.text(place, height - bottom + 17, label_of(chart.x, value), "tick", Svg::Anchor::middle);
    free_from = place + 50;
  }
  svg.line(left, height - bottom, width - right, height - bottom, ink);
}

void draw_series(const Chart& chart, std::size_t index, const Axis& x, const Axis& y, Svg& svg) {
  const Series& series = chart.series[index];
  const std::string colour = colour_of(index);
  std::string path;
  for (const Point& point : series.points)
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "M" : "L", x.at(point.x), y.at(point.y));
  svg.outline(path, colour, 1.6);
  for (const Point& point : series.points) {
    svg.line(x.at(point.x), y.at(point.low), x.at(point.x), y.at(point.high), colour);
    const std::string tip = fmt::format(
        "{}, {}: {} ({} to {})", series.name, label_of(chart.x, point.x),
        label_of(chart.y, point.y), label_of(chart.y, point.low), label_of(chart.y, point.high));
    svg.box(x.at(point.x) - 3, y.at(point.y) - 3, 6, 6, colour, tip);
  }
}

void draw_legend(const Chart& chart, Svg& svg) {
  double place = left;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    svg.box(place, height - 16, 10, 10, colour_of(i));
    svg.text(place + 14, height - 7, chart.series[i].name, "tick");
    place += 26 + 6.4 * static_cast<double>(chart.series[i].name.size());
  }
}

std::string three_digits(double value, double unit, const char* name) {
  return fmt::format("{:.3g} {}", value / unit, name);
}

}  // namespace

std::string label_of(Quantity quantity, double value) {
  switch (quantity) {
    case Quantity::bytes:
      if (value >= 1 << 30) return three_digits(value, 1 << 30, "GiB");
      if (value >= 1 << 20) return three_digits(value, 1 << 20, "MiB");
      if (value >= 1 << 10) return three_digits(value, 1 << 10, "KiB");
      return three_digits(value, 1, "B");
    case Quantity::units:
      return three_digits(value, 1, value == 1 ? "unit" : "units");
    case Quantity::nanoseconds:
      if (value < 999.5) return three_digits(value, 1, "ns");
      if (value < 999.5e3) return three_digits(value, 1e3, "us");
      if (value < 999.5e6) return three_digits(value, 1e6, "ms");
      return three_digits(value, 1e9, "s");
    case Quantity::bytes_per_ns:
      return three_digits(value, 1, "GB/s");
    case Quantity::ratio:
      return fmt::format("{:.3g}", value);
  }
  return {};
}

std::string draw(const Chart& chart) {
  Svg svg(width, height, "", "none");
  const Axis x = x_axis(chart);
  const Axis y = y_axis(chart);
  draw_y_axis(chart, y, svg);
  draw_x_axis(chart, x, svg);
  // Ours lies above the others.
  for (std::size_t i = chart.series.size(); i-- > 0;)
    draw_series(chart, i, x, y, svg);
  draw_legend(chart, svg);
  return svg.finish();
}

std::string draw_ratio(double low, double median, double high, double bar) {
  constexpr double strip_width = 150;
  constexpr double strip_height = 16;
  constexpr double middle = strip_height / 2;
  constexpr double least = 1.0 / 8;
  constexpr double most = 8;
  const Axis axis{Scale::logarithmic, least, most, 4, strip_width - 4};
  const auto at = [&](double ratio) { return axis.at(std::clamp(ratio, least, most)); };
  Svg svg(strip_width, strip_height, "", "none");
  for (const double tick : {0.25, 0.5, 2.0, 4.0})
    svg.line(at(tick), 3, at(tick), strip_height - 3, grid);
  svg.line(at(1), 0, at(1), strip_height, ink);
  if (bar > 0)
    svg.box(at(bar) - 1, 0, 2, strip_height, "var(--bar)", fmt::format("bar {:.3g}", bar));
  const std::string colour = high < 1 ? "var(--good)" : low > 1 ? "var(--bad)" : "var(--even)";
  svg.box(at(low), middle - 2, std::max(at(high) - at(low), 1.0), 4, colour);
  svg.box(at(median) - 2, middle - 5, 4, 10, colour,
          fmt::format("{:.3g}, 95 % within {:.3g} to {:.3g}", median, low, high));
  return svg.finish();
}

}  // namespace dash::report
