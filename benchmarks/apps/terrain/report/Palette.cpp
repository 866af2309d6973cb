#include "report/Palette.h"

#include <array>

#include "common/ColorScale.h"

namespace terrain {

using apps::Color;
using apps::ColorStop;

namespace {

constexpr std::array<ColorStop, 7> elevation_stops{{
    {0.00, {92, 138, 108}},
    {0.18, {142, 174, 122}},
    {0.38, {203, 206, 148}},
    {0.55, {226, 203, 150}},
    {0.72, {203, 164, 120}},
    {0.88, {176, 137, 112}},
    {1.00, {240, 234, 228}},
}};

constexpr std::array<ColorStop, 7> change_stops{{
    {-1.0, {140, 28, 28}},
    {-0.6, {206, 92, 66}},
    {-0.2, {246, 200, 172}},
    {0.0, {247, 246, 243}},
    {0.2, {182, 212, 230}},
    {0.6, {74, 138, 188}},
    {1.0, {22, 66, 122}},
}};

}  // namespace

Color elevation_color(double height) {
  return apps::color_at(elevation_stops, height);
}

Color change_color(double change) {
  return apps::color_at(change_stops, change);
}

}  // namespace terrain
