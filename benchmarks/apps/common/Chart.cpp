#include "common/Chart.h"

#include "common/StrokeFont.h"

namespace apps {

namespace {

constexpr Color frame{120, 122, 126};

}  // namespace

void draw_map(Canvas& canvas, const Panel& panel,
              const std::function<Color(std::size_t, std::size_t)>& color) {
  for (long y = 0; y < panel.height; ++y) {
    for (long x = 0; x < panel.width; ++x) {
      canvas.set(static_cast<std::size_t>(panel.x + x), static_cast<std::size_t>(panel.y + y),
                 color(static_cast<std::size_t>(y), static_cast<std::size_t>(x)));
    }
  }
  canvas.draw_frame(panel.x - 1, panel.y - 1, panel.width + 2, panel.height + 2, frame);
}

void draw_caption(Canvas& canvas, const Panel& panel, const std::string& title,
                  const std::string& explanation) {
  const auto x = static_cast<double>(panel.x) + 2;
  const auto y = static_cast<double>(panel.y);
  draw_text(canvas, {x, y - 48}, 19, title, ink);
  draw_text(canvas, {x, y - 16}, 12, explanation, faint_ink);
}

void draw_legend(Canvas& canvas, const Panel& panel, const std::function<Color(double)>& color,
                 const std::array<std::string, 3>& labels) {
  const long y = panel.y + panel.height + 28;
  for (long x = 0; x < panel.width; ++x) {
    const double t = (static_cast<double>(x) + 0.5) / static_cast<double>(panel.width);
    canvas.fill_rectangle(panel.x + x, y, 1, 18, color(t));
  }
  canvas.draw_frame(panel.x - 1, y - 1, panel.width + 2, 20, frame);
  const auto base = static_cast<double>(y) + 46;
  const auto left = static_cast<double>(panel.x);
  const auto width = static_cast<double>(panel.width);
  draw_text(canvas, {left, base}, 12, labels[0], ink, Align::left);
  draw_text(canvas, {left + width / 2, base}, 12, labels[1], ink, Align::centre);
  draw_text(canvas, {left + width, base}, 12, labels[2], ink, Align::right);
}

}  // namespace apps
