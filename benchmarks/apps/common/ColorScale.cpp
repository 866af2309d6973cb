#include "common/ColorScale.h"

#include <algorithm>

namespace apps {

Color color_at(std::span<const ColorStop> stops, double position) {
  const double p = std::clamp(position, stops.front().position, stops.back().position);
  for (std::size_t i = 1; i < stops.size(); ++i) {
    if (p > stops[i].position) continue;
    const auto& below = stops[i - 1];
    const auto& above = stops[i];
    return mix(below.color, above.color, (p - below.position) / (above.position - below.position));
  }
  return stops.back().color;
}

}  // namespace apps
