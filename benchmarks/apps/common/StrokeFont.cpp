#include "common/StrokeFont.h"

#include <array>
#include <vector>

namespace apps {
namespace {

// A glyph is a list of strokes, separated by spaces. A stroke is a letter for its type, followed by
// points of two digits, x and y, in a grid with the baseline at y = 2, the top of lower-case
// letters at 6 and that of capitals at 8:
//   '-' straight lines through the points
//   '~' an open spline from the first to the last point; the others are its control points
//   'o' a closed spline with the points as control points
struct Glyph {
  char character;
  int width;
  std::string_view strokes;
};

constexpr auto glyphs = std::to_array<Glyph>({
    {'a', 4, "o02424606 -4642"},
    {'b', 4, "-0802 o02424606"},
    {'c', 4, "~454606024243"},
    {'d', 4, "o02424606 -4842"},
    {'e', 4, "-0444 ~444606024243"},
    {'f', 3, "~381816 -1612 -0636"},
    {'g', 4, "o02424606 -4642 ~424000"},
    {'h', 4, "-0802 ~04064644 -4442"},
    {'i', 0, "-0602 -0808"},
    {'j', 2, "-2622 ~222000 -2828"},
    {'k', 4, "-0802 -4604 -1542"},
    {'l', 0, "-0802"},
    {'m', 6, "-0602 ~04063634 -3432 ~34366664 -6462"},
    {'n', 4, "-0602 ~04064644 -4442"},
    {'o', 4, "o02424606"},
    {'p', 4, "-0600 o02424606"},
    {'q', 4, "-4640 o02424606"},
    {'r', 3, "-0602 ~040636"},
    {'s', 3, "~360604343202"},
    {'t', 3, "-1814 ~141232 -0636"},
    {'u', 4, "-0604 ~04024244 -4642"},
    {'v', 4, "-062246"},
    {'w', 6, "-0612365266"},
    {'x', 4, "-0642 -0246"},
    {'y', 4, "-0622 -4610"},
    {'z', 4, "-06460242"},
    {'A', 6, "-023862 -1454"},
    {'B', 4, "-0208 ~08484505 ~05454202"},
    {'C', 5, "~575808025253"},
    {'D', 5, "-0208 ~08585202"},
    {'J', 3, "-3834 ~34320203"},
    {'N', 5, "-02085258"},
    {'T', 4, "-0848 -2822"},
    {'U', 5, "-0804 ~04025254 -5458"},
    {'0', 4, "o024245480805"},
    {'1', 2, "-072822"},
    {'2', 4, "~0708484502 -0242"},
    {'3', 4, "~0708484525 ~2545420203"},
    {'4', 4, "-32380444"},
    {'5', 4, "-480805 ~0546420203"},
    {'6', 4, "~480804 o02424606"},
    {'7', 4, "-084822"},
    {'8', 4, "o05454808 o02424505"},
    {'9', 4, "~024246 o04444808"},
    {'+', 4, "-0545 -2327"},
    {'-', 3, "-0535"},
    {'=', 4, "-0444 -0646"},
    {'.', 0, "-0202"},
    {',', 1, "-1201"},
    {':', 0, "-0202 -0606"},
    {'(', 1, "~190511"},
    {')', 1, "~091501"},
    {'/', 4, "-0148"},
    {'%', 6, "-0268 o05252808 o42626545"},
});

constexpr int blank_width = 2;
constexpr double gap = 2.2;           // between two glyphs
constexpr double base_line = 2;       // y in the grid
constexpr double capital_height = 6;  // above the baseline
constexpr double weight = 0.95;       // thickness of a stroke

const Glyph* find_glyph(char character) {
  for (const auto& glyph : glyphs) {
    if (glyph.character == character) return &glyph;
  }
  return nullptr;
}

Point middle(const Point& a, const Point& b) {
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

// Appends an arc of a quadratic spline to a line.
void append_arc(std::vector<Point>& line, const Point& control, const Point& to) {
  const Point from = line.back();
  constexpr int segments = 8;
  for (int i = 1; i <= segments; ++i) {
    const double t = static_cast<double>(i) / segments;
    const double a = (1 - t) * (1 - t);
    const double b = 2 * t * (1 - t);
    const double c = t * t;
    line.push_back({a * from.x + b * control.x + c * to.x, a * from.y + b * control.y + c * to.y});
  }
}

std::vector<Point> open_curve(const std::vector<Point>& points) {
  if (points.size() < 3) return points;
  std::vector<Point> line{points.front()};
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const bool last = i + 2 == points.size();
    append_arc(line, points[i], last ? points[i + 1] : middle(points[i], points[i + 1]));
  }
  return line;
}

std::vector<Point> closed_curve(const std::vector<Point>& points) {
  std::vector<Point> line{middle(points.back(), points.front())};
  for (std::size_t i = 0; i < points.size(); ++i) {
    append_arc(line, points[i], middle(points[i], points[(i + 1) % points.size()]));
  }
  return line;
}

// The points of one stroke of a glyph, in the coordinates of its grid.
std::vector<Point> trace(std::string_view stroke) {
  std::vector<Point> points;
  for (std::size_t i = 1; i + 1 < stroke.size(); i += 2) {
    points.push_back(
        {static_cast<double>(stroke[i] - '0'), static_cast<double>(stroke[i + 1] - '0')});
  }
  switch (stroke.front()) {
    case '~':
      return open_curve(points);
    case 'o':
      return closed_curve(points);
    default:
      return points;
  }
}

void draw_glyph(Canvas& canvas, const Glyph& glyph, const Point& at, double scale,
                const Color& color) {
  auto rest = glyph.strokes;
  while (!rest.empty()) {
    const auto end = rest.find(' ');
    auto line = trace(rest.substr(0, end));
    for (auto& p : line)
      p = {at.x + p.x * scale, at.y - (p.y - base_line) * scale};
    canvas.draw_line(line, weight * scale, color);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
}

}  // namespace

double text_width(double height, std::string_view text) {
  double width = 0;
  for (const char character : text) {
    const auto* glyph = find_glyph(character);
    width += (glyph != nullptr ? glyph->width : blank_width) + gap;
  }
  return (text.empty() ? 0 : width - gap) * height / capital_height;
}

void draw_text(Canvas& canvas, const Point& at, double height, std::string_view text,
               const Color& color, Align align) {
  const double scale = height / capital_height;
  const double width = text_width(height, text);
  Point pen = at;
  if (align == Align::centre) pen.x -= width / 2;
  if (align == Align::right) pen.x -= width;
  for (const char character : text) {
    const auto* glyph = find_glyph(character);
    if (glyph != nullptr) draw_glyph(canvas, *glyph, pen, scale, color);
    pen.x += ((glyph != nullptr ? glyph->width : blank_width) + gap) * scale;
  }
}

}  // namespace apps
