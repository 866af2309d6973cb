#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apps {

/// Red, green and blue, 0 to 255 each. Floating-point, so that repeated blending does not cause
/// banding.
struct Color {
  double r = 0;
  double g = 0;
  double b = 0;
};

/// Linear interpolation of two colors; \p t = 0 gives \p a, 1 gives \p b.
constexpr Color mix(const Color& a, const Color& b, double t) {
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

/// A point of a drawing, in pixels from the upper left corner.
struct Point {
  double x = 0;
  double y = 0;
};

/// A raster image in memory. Drawing is clipped to the image.
class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, const Color& background);

  std::size_t width() const { return _width; }
  std::size_t height() const { return _height; }

  void set(std::size_t x, std::size_t y, const Color& color);
  void blend(long x, long y, const Color& color, double coverage);
  void fill_rectangle(long x, long y, long width, long height, const Color& color);
  void draw_frame(long x, long y, long width, long height, const Color& color);

  /// Draws an anti-aliased line through the points, with round caps and joins. A single point gives
  /// a dot.
  void draw_line(const std::vector<Point>& points, double thickness, const Color& color);

  /// The pixels, three bytes each, row by row.
  const std::vector<std::uint8_t>& pixels() const { return _pixels; }

 private:
  std::size_t _width;
  std::size_t _height;
  std::vector<std::uint8_t> _pixels;
};

/// Writes the canvas as a PNG file.
/// \throws UserError if the file cannot be written
void write_png(const std::string& path, const Canvas& canvas);

}  // namespace apps
