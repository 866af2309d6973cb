#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>

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
  // When the hues are used up, further rounds use paler and darker colors.
  const int round = unit / hues;
  const double saturation = round % 2 == 0 ? 0.55 : 0.3;
  const double value = std::max(0.95 - 0.12 * (round / 2), 0.45);
  return color_from_hsv(360.0 * (unit % hues) / hues, saturation, value);
}

namespace internal {

namespace {

/// Escapes a text for an XML element. Omits control characters, which XML does not allow.
std::string xml_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      result += c;
    }
  }
  return result;
}

void write_text(std::ostream& os, double x, double y, int size, const std::string& text) {
  os << "<text x=\"" << x << "\" y=\"" << y << "\" font-size=\"" << size << "\">"
     << xml_escaped(text) << "</text>\n";
}

void write_rect(std::ostream& os, double x, double y, double width, double height,
                const rgb& color) {
  os << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\"" << height
     << "\" fill=\"" << color << "\"/>\n";
}

/// Writes a line through the centers of the cells of a unit, which are in memory order, and
/// a dot at its start.
void write_memory_order(std::ostream& os, const PatternDrawing& drawing, int unit) {
  std::string points;
  for (const auto& cell : drawing.cells) {
    if (cell.unit != unit) continue;
    const double x = static_cast<double>(cell.x) + static_cast<double>(cell.width) / 2;
    const double y = static_cast<double>(cell.y) + static_cast<double>(cell.height) / 2;
    if (points.empty())
      os << "<circle cx=\"" << x << "\" cy=\"" << y << "\" r=\"0.1\" stroke=\"none\"/>\n";
    points += std::to_string(x) + ',' + std::to_string(y) + ' ';
  }
  if (!points.empty()) {
    os << "<polyline points=\"" << points
       << "\" fill=\"none\" stroke=\"#303030\" stroke-opacity=\"0.7\""
       << " vector-effect=\"non-scaling-stroke\"/>\n";
  }
}

}  // namespace

void write_svg(std::ostream& os, const PatternDrawing& drawing) {
  constexpr double margin = 40;
  constexpr double top = 90;
  constexpr double legend_line = 20;
  const auto columns = static_cast<double>(drawing.width);
  const auto rows = static_cast<double>(drawing.height);
  const double scale = std::clamp(800 / std::max({columns, rows, 1.0}), 2.0, 28.0);  // pixels
  const double width = std::max(columns * scale + 2 * margin + 110, 360.0);
  const double height = top + std::max(rows * scale, legend_line * drawing.nunits) + margin;
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
     << "\" font-family=\"sans-serif\">\n<title>" << xml_escaped(drawing.title) << "</title>\n";
  write_text(os, margin, 28, 18, drawing.title);
  write_text(os, margin, 48, 12, drawing.description);
  write_text(os, margin, top - 8, 12, drawing.axes);

  os << "<g transform=\"translate(" << margin << ' ' << top << ") scale(" << scale << ")\""
     << " stroke=\"#ffffff\" stroke-width=\"" << (scale >= 6 ? 1 / scale : 0) << "\">\n";
  for (const auto& cell : drawing.cells) {
    write_rect(os, static_cast<double>(cell.x), static_cast<double>(cell.y),
               static_cast<double>(cell.width), static_cast<double>(cell.height),
               color_of_unit(cell.unit, drawing.nunits));
  }
  for (int unit = 0; unit < drawing.nunits; ++unit)
    write_memory_order(os, drawing, unit);
  os << "</g>\n";

  for (int unit = 0; unit < drawing.nunits; ++unit) {
    const double x = margin + columns * scale + 20;
    const double y = top + legend_line * unit;
    write_rect(os, x, y, 14, 14, color_of_unit(unit, drawing.nunits));
    write_text(os, x + 20, y + 12, 12, "unit " + std::to_string(unit));
  }
  os << "</svg>\n";
}

}  // namespace internal

}  // namespace dash::tools
