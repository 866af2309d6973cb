#include "Palette.h"

#include <algorithm>
#include <array>

namespace terrain {
namespace {

struct Stop {
  double position;
  Color color;
};

constexpr std::array<Stop, 7> elevation_stops{{
    {0.00, {92, 138, 108}},
    {0.18, {142, 174, 122}},
    {0.38, {203, 206, 148}},
    {0.55, {226, 203, 150}},
    {0.72, {203, 164, 120}},
    {0.88, {176, 137, 112}},
    {1.00, {240, 234, 228}},
}};

constexpr std::array<Stop, 7> change_stops{{
    {-1.0, {140, 28, 28}},
    {-0.6, {206, 92, 66}},
    {-0.2, {246, 200, 172}},
    {0.0, {247, 246, 243}},
    {0.2, {182, 212, 230}},
    {0.6, {74, 138, 188}},
    {1.0, {22, 66, 122}},
}};

Color between(std::span<const Stop> stops, double position) {
  const double p = std::clamp(position, stops.front().position, stops.back().position);
  for (std::size_t i = 1; i < stops.size(); ++i) {
    if (p > stops[i].position) continue;
    const auto& below = stops[i - 1];
    const auto& above = stops[i];
    return mix(below.color, above.color, (p - below.position) / (above.position - below.position));
  }
  return stops.back().color;
}

}  // namespace

Color elevation_color(double height) {
  return between(elevation_stops, height);
}

Color change_color(double change) {
  return between(change_stops, change);
}

}  // namespace terrain
