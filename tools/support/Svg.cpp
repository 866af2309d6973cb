#include "Svg.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "dash/core/Xml.h"

namespace dash::tools {

namespace {

/// As short as it is exact enough: tenths.
std::string number(double value) {
  const double rounded = std::round(value * 10) / 10;
  std::string text = fmt::format("{:.1f}", rounded == 0 ? 0.0 : rounded);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

/// Scales need more.
std::string exact(double value) {
  return fmt::format("{:.6g}", value);
}

}  // namespace

Svg::Svg(double width, double height, std::string_view style, std::string_view background) {
  fmt::format_to(std::back_inserter(_out),
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                 "viewBox=\"0 0 {0} {1}\">\n",
                 number(width), number(height));
  if (!style.empty()) fmt::format_to(std::back_inserter(_out), "<style>{}</style>\n", style);
  if (background != "none") box(0, 0, width, height, background);
}

void Svg::end_with_tip(std::string_view element, std::string_view tip) {
  if (tip.empty()) {
    _out += "/>\n";
  } else {
    fmt::format_to(std::back_inserter(_out), "><title>{}</title></{}>\n", core::xml_escaped(tip),
                   element);
  }
}

void Svg::box(double x, double y, double width, double height, std::string_view fill,
              std::string_view tip) {
  fmt::format_to(std::back_inserter(_out),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"", number(x),
                 number(y), number(width), number(height), fill.empty() ? "none" : fill);
  end_with_tip("rect", tip);
}

void Svg::hot_spot(double x, double y, double width, double height, std::string_view tip) {
  fmt::format_to(std::back_inserter(_out),
                 "<rect class=\"hot\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(x),
                 number(y), number(width), number(height));
  end_with_tip("rect", tip);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke) {
  fmt::format_to(std::back_inserter(_out),
                 "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\"/>\n", number(x1),
                 number(y1), number(x2), number(y2), stroke);
}

void Svg::text(double x, double y, std::string_view text, std::string_view style_class,
               Anchor anchor) {
  const char* const where = anchor == Anchor::start    ? ""
                            : anchor == Anchor::middle ? " text-anchor=\"middle\""
                                                       : " text-anchor=\"end\"";
  fmt::format_to(std::back_inserter(_out), "<text x=\"{}\" y=\"{}\" class=\"{}\"{}>{}</text>\n",
                 number(x), number(y), style_class, where, core::xml_escaped(text));
}

void Svg::begin_scaled(double x, double y, double scale_x, double scale_y) {
  fmt::format_to(std::back_inserter(_out), "<g transform=\"translate({},{}) scale({},{})\">\n",
                 number(x), number(y), exact(scale_x), exact(scale_y));
}

void Svg::path(std::string_view data, std::string_view fill, std::string_view tip) {
  fmt::format_to(std::back_inserter(_out), "<path d=\"{}\" fill=\"{}\"", data, fill);
  end_with_tip("path", tip);
}

void Svg::outline(std::string_view data, std::string_view stroke, double width) {
  fmt::format_to(std::back_inserter(_out),
                 "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n", data, stroke,
                 exact(width));
}

void Svg::end_scaled() {
  _out += "</g>\n";
}

std::string Svg::finish() {
  _out += "</svg>\n";
  return std::move(_out);
}

}  // namespace dash::tools
