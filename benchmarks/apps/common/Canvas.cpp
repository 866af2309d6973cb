#include "common/Canvas.h"

#include <fmt/core.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/Error.h"

namespace apps {
namespace {

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

double distance_to_segment(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length2 = dx * dx + dy * dy;
  const double along = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

double distance_to_line(const Point& p, const std::vector<Point>& points) {
  double nearest = distance_to_segment(p, points.front(), points.front());
  for (std::size_t i = 1; i < points.size(); ++i) {
    nearest = std::min(nearest, distance_to_segment(p, points[i - 1], points[i]));
  }
  return nearest;
}

}  // namespace

Canvas::Canvas(std::size_t width, std::size_t height, const Color& background)
    : _width(width), _height(height), _pixels(width * height * 3) {
  fill_rectangle(0, 0, static_cast<long>(width), static_cast<long>(height), background);
}

void Canvas::set(std::size_t x, std::size_t y, const Color& color) {
  std::uint8_t* pixel = _pixels.data() + (y * _width + x) * 3;
  pixel[0] = to_byte(color.r);
  pixel[1] = to_byte(color.g);
  pixel[2] = to_byte(color.b);
}

void Canvas::blend(long x, long y, const Color& color, double coverage) {
  if (x < 0 || y < 0 || x >= static_cast<long>(_width) || y >= static_cast<long>(_height)) return;
  const auto column = static_cast<std::size_t>(x);
  const auto line = static_cast<std::size_t>(y);
  const std::uint8_t* pixel = _pixels.data() + (line * _width + column) * 3;
  const Color below{static_cast<double>(pixel[0]), static_cast<double>(pixel[1]),
                    static_cast<double>(pixel[2])};
  set(column, line, mix(below, color, coverage));
}

void Canvas::fill_rectangle(long x, long y, long width, long height, const Color& color) {
  for (long v = y; v < y + height; ++v) {
    for (long u = x; u < x + width; ++u)
      blend(u, v, color, 1);
  }
}

void Canvas::draw_frame(long x, long y, long width, long height, const Color& color) {
  fill_rectangle(x, y, width, 1, color);
  fill_rectangle(x, y + height - 1, width, 1, color);
  fill_rectangle(x, y, 1, height, color);
  fill_rectangle(x + width - 1, y, 1, height, color);
}

void Canvas::draw_line(const std::vector<Point>& points, double thickness, const Color& color) {
  if (points.empty()) return;
  Point low = points.front();
  Point high = points.front();
  for (const auto& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double reach = thickness / 2 + 1;
  for (auto y = std::lround(low.y - reach); y <= std::lround(high.y + reach); ++y) {
    for (auto x = std::lround(low.x - reach); x <= std::lround(high.x + reach); ++x) {
      const Point centre{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5};
      const double inside = thickness / 2 + 0.5 - distance_to_line(centre, points);
      if (inside > 0) blend(x, y, color, std::min(inside, 1.0));
    }
  }
}

void write_png(const std::string& path, const Canvas& canvas) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(canvas.width());
  image.height = static_cast<png_uint_32>(canvas.height());
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path.c_str(), 0, canvas.pixels().data(), 0, nullptr) == 0) {
    throw UserError(fmt::format("cannot write the picture '{}': {}", path, image.message));
  }
}

}  // namespace apps
