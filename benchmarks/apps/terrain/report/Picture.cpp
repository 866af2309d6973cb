#include "report/Picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "common/Chart.h"
#include "common/StrokeFont.h"
#include "report/Palette.h"
#include "report/Relief.h"

namespace terrain {

using apps::Align;
using apps::black;
using apps::Canvas;
using apps::Color;
using apps::draw_caption;
using apps::draw_legend;
using apps::draw_map;
using apps::draw_text;
using apps::ink;
using apps::mix;
using apps::Panel;
using apps::paper;
using apps::Point;
using apps::white;

namespace {

constexpr double longer_side = 800;  // of a map, in pixels
constexpr long margin = 44;
constexpr long gap = 36;
constexpr long caption_height = 72;
constexpr long legend_height = 76;

struct Layout {
  long map_width;
  long map_height;

  explicit Layout(const Field& field) {
    const auto rows = static_cast<double>(field.rows);
    const auto cols = static_cast<double>(field.cols);
    const double scale = longer_side / std::max(rows, cols);
    // Very narrow terrains are widened to remain visible.
    map_width = std::max(24L, std::lround(cols * scale));
    map_height = std::max(24L, std::lround(rows * scale));
  }

  Panel panel(int i) const {
    const long width = std::max(map_width, 320L);  // space for captions above narrow maps
    return {margin + i * (width + gap), margin + caption_height, map_width, map_height};
  }
  std::size_t width() const {
    const long column = std::max(map_width, 320L);
    return static_cast<std::size_t>(2 * margin + 3 * column + 2 * gap);
  }
  std::size_t height() const {
    return static_cast<std::size_t>(2 * margin + caption_height + map_height + legend_height);
  }
};

// Applies the shade to a tint; the shade of level ground, 0.69, leaves the tint unchanged.
Color lit(const Color& tint, double shade, double relief) {
  constexpr double flat = 0.69;
  const double light = shade - flat + relief;
  return light < 0 ? mix(tint, mix(black, tint, 0.12), std::min(1.0, -light * 1.45))
                   : mix(tint, white, std::min(1.0, light * 1.15));
}

// A round length of about a quarter of the map's width, in metres.
double scale_length(double metres_across) {
  const double max = metres_across / 3.2;
  const double power = std::pow(10.0, std::floor(std::log10(max)));
  for (const double step : {5.0, 2.0}) {
    if (step * power <= max) return step * power;
  }
  return power;
}

void draw_scale(Canvas& canvas, const Panel& panel, double metres_per_pixel) {
  if (panel.width < 160 || panel.height < 60) return;
  const double length = scale_length(metres_per_pixel * static_cast<double>(panel.width));
  const double pixels = length / metres_per_pixel;
  const auto x = static_cast<double>(panel.x) + 22;
  const auto y = static_cast<double>(panel.y + panel.height) - 22;
  const std::vector<Point> line{{x, y - 6}, {x, y}, {x + pixels, y}, {x + pixels, y - 6}};
  canvas.draw_line(line, 5, mix(black, paper, 0.15));
  canvas.draw_line(line, 2.2, white);
  const auto text =
      length >= 1000 ? fmt::format("{:g} km", length / 1000) : fmt::format("{:g} m", length);
  const Point at{x + pixels / 2, y - 12};
  for (const double dx : {-1.0, 0.0, 1.0}) {
    for (const double dy : {-1.0, 0.0, 1.0}) {
      draw_text(canvas, {at.x + dx, at.y + dy}, 13, text, mix(black, paper, 0.15), Align::centre);
    }
  }
  draw_text(canvas, at, 13, text, white, Align::centre);
}

// A field at the resolution of the picture, with its shading.
struct Map {
  Field elevation;
  Field shade;
  Field relief;

  Map(const Field& field, const Layout& layout, double cell_size, double exaggeration)
      : elevation(resample(field, static_cast<std::size_t>(layout.map_height),
                           static_cast<std::size_t>(layout.map_width))),
        shade(hill_shade(elevation, pixel_size(field, layout, cell_size), exaggeration)),
        relief(local_height(elevation, 9)) {}

  static double pixel_size(const Field& field, const Layout& layout, double cell_size) {
    return cell_size * static_cast<double>(field.cols) / static_cast<double>(layout.map_width);
  }
};

double choose_exaggeration_of_map(const Field& field, const Layout& layout, double cell_size) {
  const auto map = resample(field, static_cast<std::size_t>(layout.map_height),
                            static_cast<std::size_t>(layout.map_width));
  return choose_exaggeration(map, Map::pixel_size(field, layout, cell_size));
}

void draw_terrain(Canvas& canvas, const Panel& panel, const Map& map, double lowest, double span,
                  double relief_scale) {
  draw_map(canvas, panel, [&](std::size_t r, std::size_t c) {
    const auto tint = elevation_color((map.elevation.at(r, c) - lowest) / span);
    const double relief = std::clamp(map.relief.at(r, c) / relief_scale, -1.0, 1.0);
    return lit(tint, map.shade.at(r, c), 0.10 * relief);
  });
  draw_legend(
      canvas, panel, elevation_color,
      {fmt::format("{:.0f} m", lowest), "elevation", fmt::format("{:.0f} m", lowest + span)});
}

void draw_change(Canvas& canvas, const Panel& panel, const Map& before, const Map& after) {
  Field change = after.elevation;
  for (std::size_t i = 0; i < change.cells.size(); ++i)
    change.cells[i] -= before.elevation.cells[i];
  const double max = std::max(magnitude_quantile(change, 0.995), 1e-9);
  draw_map(canvas, panel, [&](std::size_t r, std::size_t c) {
    return lit(change_color(change.at(r, c) / max), 0.69 + (before.shade.at(r, c) - 0.69) * 0.35,
               0);
  });
  const auto label = max >= 1 ? fmt::format("{:.0f} m", max) : fmt::format("{:.2g} m", max);
  draw_legend(canvas, panel, [](double t) { return change_color(2 * t - 1); },
              {"lowered by " + label, "0", "raised by " + label});
}

}  // namespace

std::string years_in_words(double years) {
  if (years >= 1e9) return fmt::format("{:.3g} billion years", years / 1e9);
  if (years >= 1e6) return fmt::format("{:.3g} million years", years / 1e6);
  if (years >= 1e4) return fmt::format("{:.3g} thousand years", years / 1e3);
  return fmt::format("{:g} years", years);
}

void write_picture(const std::string& path, const Field& before, const Field& after,
                   const PictureFacts& facts) {
  const Layout layout(before);
  const double exaggeration = choose_exaggeration_of_map(before, layout, facts.cell_size);
  const Map first(before, layout, facts.cell_size, exaggeration);
  const Map second(after, layout, facts.cell_size, exaggeration);
  const auto [low, high] =
      std::minmax_element(first.elevation.cells.begin(), first.elevation.cells.end());
  const double span = std::max(*high - *low, 1e-9);
  const double relief_scale = std::max(2 * magnitude_quantile(first.relief, 0.9), 1e-9);

  Canvas canvas(layout.width(), layout.height(), paper);
  draw_caption(canvas, layout.panel(0), "before",
               fmt::format("{} x {} cells of {:.4g} m", before.rows, before.cols, facts.cell_size));
  draw_terrain(canvas, layout.panel(0), first, *low, span, relief_scale);
  draw_scale(canvas, layout.panel(0), Map::pixel_size(before, layout, facts.cell_size));
  draw_caption(canvas, layout.panel(1), "after",
               fmt::format("{} steps, {}", facts.steps, years_in_words(facts.years)));
  draw_terrain(canvas, layout.panel(1), second, *low, span, relief_scale);
  draw_caption(canvas, layout.panel(2), "difference", "ridges lowered, valleys filled");
  draw_change(canvas, layout.panel(2), first, second);
  apps::write_png(path, canvas);
}

}  // namespace terrain
