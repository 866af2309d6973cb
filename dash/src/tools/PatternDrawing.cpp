#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

#include "dash/core/Xml.h"
#include "dash/tools/Colorspace.h"
#include "dash/tools/PatternVisualizer.h"

namespace dash::tools {

std::string rgb::hex() const {
  const auto byte = [](double value) {
    return static_cast<unsigned>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
  };
  char text[8];
  std::snprintf(text, sizeof(text), "#%02x%02x%02x", byte(r), byte(g), byte(b));
  return text;
}

rgb color_from_hsv(double hue, double saturation, double value) {
  const auto channel = [&](double offset) {
    const double k = std::fmod(offset + hue / 60, 6.0);
    return value * (1 - saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0));
  };
  return {channel(5), channel(3), channel(1)};
}

rgb color_of_unit(int unit, int nunits) {
  const int hues = std::clamp(nunits, 1, 12);
  // Further rounds of the hues are paler, or darker.
  const int round = unit / hues;
  const double saturation = round % 2 == 0 ? 0.55 : 0.3;
  const double value = std::max(0.95 - 0.12 * (round / 2), 0.45);
  return color_from_hsv(360.0 * (unit % hues) / hues, saturation, value);
}

namespace internal {

namespace {

/// Where things stand on the page, in pixels.
struct Page {
  static constexpr double margin = 40;
  double scale;  // of an element
  double top;    // of the range
  double width;  // of the page
  double height;

  explicit Page(const PatternDrawing& drawing) {
    const auto longest = static_cast<double>(std::max({drawing.width, drawing.height, 1L}));
    scale = std::clamp(800 / longest, 2.0, 28.0);
    top = margin + (drawing.description.empty() ? 30 : 50);
    width = std::max(static_cast<double>(drawing.width) * scale + 2 * margin + 110, 360.0);
    height = std::max(top + static_cast<double>(drawing.height) * scale + margin,
                      top + 20.0 * drawing.nunits + margin);
  }
  double x(double element) const { return margin + element * scale; }
  double y(double element) const { return top + element * scale; }
};

void write_text(std::ostream& os, double x, double y, int size, const std::string& text) {
  os << "<text x=\"" << x << "\" y=\"" << y << "\" font-size=\"" << size << "\">"
     << core::xml_escaped(text) << "</text>\n";
}

void write_cells(std::ostream& os, const PatternDrawing& drawing, const Page& page) {
  os << "<g stroke=\"#ffffff\" stroke-width=\"" << (page.scale >= 6 ? 1 : 0) << "\">\n";
  for (const auto& cell : drawing.cells) {
    os << "<rect x=\"" << page.x(static_cast<double>(cell.x)) << "\" y=\""
       << page.y(static_cast<double>(cell.y)) << "\" width=\""
       << static_cast<double>(cell.width) * page.scale << "\" height=\""
       << static_cast<double>(cell.height) * page.scale << "\" fill=\""
       << color_of_unit(cell.unit, drawing.nunits) << "\"/>\n";
  }
  os << "</g>\n";
}

void write_paths(std::ostream& os, const PatternDrawing& drawing, const Page& page) {
  os << "<g fill=\"none\" stroke=\"#303030\" stroke-width=\"1\" stroke-opacity=\"0.7\">\n";
  for (const auto& path : drawing.paths) {
    if (path.points.empty()) continue;
    os << "<polyline class=\"unit" << path.unit << "\" points=\"";
    for (const auto& point : path.points)
      os << page.x(point[0]) << ',' << page.y(point[1]) << ' ';
    os << "\"/>\n<circle cx=\"" << page.x(path.points.front()[0]) << "\" cy=\""
       << page.y(path.points.front()[1]) << "\" r=\"" << std::max(page.scale / 8, 1.0)
       << "\" fill=\"#303030\"/>\n";
  }
  os << "</g>\n";
}

void write_legend(std::ostream& os, const PatternDrawing& drawing, const Page& page) {
  const double left = page.x(static_cast<double>(drawing.width)) + 20;
  for (int unit = 0; unit < drawing.nunits; ++unit) {
    const double top = page.top + 20.0 * unit;
    os << "<rect x=\"" << left << "\" y=\"" << top << "\" width=\"14\" height=\"14\" fill=\""
       << color_of_unit(unit, drawing.nunits) << "\"/>\n";
    write_text(os, left + 20, top + 12, 12, "unit " + std::to_string(unit));
  }
}

}  // namespace

void write_svg(std::ostream& os, const PatternDrawing& drawing) {
  const Page page(drawing);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << page.width << "\" height=\""
     << page.height << "\" font-family=\"sans-serif\">\n"
     << "<title>" << core::xml_escaped(drawing.title) << "</title>\n";
  write_text(os, Page::margin, 28, 18, drawing.title);
  if (!drawing.description.empty()) write_text(os, Page::margin, 48, 12, drawing.description);
  write_text(os, Page::margin, page.top - 8, 12, drawing.axis_x + " →");
  if (!drawing.axis_y.empty()) {
    os << "<g transform=\"rotate(90 " << Page::margin - 16 << ' ' << page.top << ")\">";
    write_text(os, Page::margin - 16, page.top, 12, drawing.axis_y + " →");
    os << "</g>\n";
  }
  write_cells(os, drawing, page);
  write_paths(os, drawing, page);
  write_legend(os, drawing, page);
  os << "</svg>\n";
}

}  // namespace internal

}  // namespace dash::tools
