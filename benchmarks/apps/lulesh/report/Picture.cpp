#include "report/Picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "common/Chart.h"
#include "common/ColorScale.h"

namespace lulesh {

using apps::Canvas;
using apps::Color;
using apps::ColorStop;
using apps::Panel;

namespace {

constexpr long margin = 44;
constexpr long caption_height = 72;
constexpr long legend_height = 76;
constexpr double longer_side = 800;  // of the map, in pixels

/// Range of the color scale: powers of ten below the highest energy.
constexpr double decades = 4;

/// From cold to hot; regions that the shock has not reached are darkest.
constexpr std::array<ColorStop, 6> heat{{
    {0.0, {24, 20, 46}},
    {0.2, {74, 28, 98}},
    {0.45, {170, 44, 92}},
    {0.65, {228, 92, 54}},
    {0.85, {250, 180, 62}},
    {1.0, {252, 246, 196}},
}};

/// Transforms coordinates of the mesh to pixels of the map; y points upwards.
struct Scale {
  double pixels_per_length = 1;
  long width = 0;
  long height = 0;

  explicit Scale(std::span<const Cell> cells) {
    double right = 0;
    double top = 0;
    for (const Cell& cell : cells) {
      right = std::max(right, *std::max_element(cell.x.begin(), cell.x.end()));
      top = std::max(top, *std::max_element(cell.y.begin(), cell.y.end()));
    }
    pixels_per_length = longer_side / std::max({right, top, 1e-9});
    width = std::max(1L, std::lround(std::ceil(right * pixels_per_length)));
    height = std::max(1L, std::lround(std::ceil(top * pixels_per_length)));
  }

  apps::Point point(const Cell& cell, std::size_t corner) const {
    return {cell.x[corner] * pixels_per_length,
            static_cast<double>(height) - cell.y[corner] * pixels_per_length};
  }
};

/// Counts how often a ray from the point to the right crosses the outline, since cells behind the
/// shock may not be convex.
bool is_inside(const std::array<apps::Point, 4>& corners, const apps::Point& p) {
  bool inside = false;
  for (std::size_t c = 0; c < 4; ++c) {
    const apps::Point& a = corners[c];
    const apps::Point& b = corners[(c + 1) % 4];
    if ((a.y > p.y) == (b.y > p.y)) continue;
    if (p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}

/// The color of each pixel of the map, row by row from the top.
class Raster {
 public:
  explicit Raster(const Scale& scale)
      : _scale(scale), _colors(static_cast<std::size_t>(scale.width * scale.height), apps::paper) {}

  const Color& at(std::size_t row, std::size_t column) const {
    return _colors[row * static_cast<std::size_t>(_scale.width) + column];
  }

  void fill(const Cell& cell, const Color& color) {
    std::array<apps::Point, 4> corners{};
    for (std::size_t c = 0; c < 4; ++c)
      corners[c] = _scale.point(cell, c);
    const auto [left, right] = std::minmax_element(
        corners.begin(), corners.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    const auto [above, below] = std::minmax_element(
        corners.begin(), corners.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
    const long last_row = std::min(_scale.height - 1, std::lround(below->y));
    const long last_column = std::min(_scale.width - 1, std::lround(right->x));
    for (long y = std::max(0L, std::lround(std::floor(above->y))); y <= last_row; ++y) {
      for (long x = std::max(0L, std::lround(std::floor(left->x))); x <= last_column; ++x) {
        if (is_inside(corners, {static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5}))
          _colors[static_cast<std::size_t>(y * _scale.width + x)] = color;
      }
    }
  }

 private:
  const Scale& _scale;
  std::vector<Color> _colors;
};

/// Draws lines between cells, if the cells are large enough.
void draw_mesh(Canvas& canvas, const Panel& panel, std::span<const Cell> cells,
               const Scale& scale) {
  const double pixels_per_cell =
      longer_side / std::sqrt(static_cast<double>(std::max<std::size_t>(cells.size(), 1)));
  if (pixels_per_cell < 7) return;
  for (const Cell& cell : cells) {
    std::vector<apps::Point> outline;
    for (const std::size_t corner : {0, 1, 2, 3, 0}) {
      const apps::Point p = scale.point(cell, corner);
      outline.push_back({p.x + static_cast<double>(panel.x), p.y + static_cast<double>(panel.y)});
    }
    canvas.draw_line(outline, 0.4, apps::mix(apps::black, apps::white, 0.35));
  }
}

}  // namespace

void write_picture(const std::string& path, std::span<const Cell> cells,
                   const PictureFacts& facts) {
  double highest = 0;
  for (const Cell& cell : cells)
    highest = std::max(highest, cell.energy);
  const double top = highest > 0 ? std::log10(highest) : 0;
  const auto position_of = [&](double energy) {
    return energy > 0 ? 1 + (std::log10(energy) - top) / decades : 0.0;
  };

  const Scale scale(cells);
  Raster raster(scale);
  for (const Cell& cell : cells)
    raster.fill(cell, apps::color_at(heat, position_of(cell.energy)));

  const long column = std::max(scale.width, 420L);  // space for the text
  Canvas canvas(
      static_cast<std::size_t>(column + 2 * margin),
      static_cast<std::size_t>(scale.height + caption_height + legend_height + 2 * margin),
      apps::paper);
  const Panel panel{margin, margin + caption_height, scale.width, scale.height};
  const auto& n = facts.elements;
  apps::draw_caption(canvas, panel, "energy at z = 0 over x and y, logarithmic",
                     fmt::format("{} x {} x {} elements, {} cycles, time {:.4g}", n[0], n[1], n[2],
                                 facts.cycles, facts.time));
  apps::draw_map(canvas, panel, [&](std::size_t r, std::size_t c) { return raster.at(r, c); });
  draw_mesh(canvas, panel, cells, scale);
  apps::draw_legend(
      canvas, panel, [](double t) { return apps::color_at(heat, t); },
      {fmt::format("{:.2g} and less", highest / std::pow(10, decades)),
       fmt::format("{:.2g}", highest / std::pow(10, decades / 2)), fmt::format("{:.3g}", highest)});
  apps::write_png(path, canvas);
}

}  // namespace lulesh
