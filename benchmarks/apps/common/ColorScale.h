#pragma once

#include <span>

#include "common/Canvas.h"

namespace apps {

/// A fixed point of a color scale. Colors between two stops are interpolated.
struct ColorStop {
  double position;
  Color color;
};

/// \param stops  at least one, by ascending position; positions beyond the ends get the colors of
///               the ends
Color color_at(std::span<const ColorStop> stops, double position);

}  // namespace apps
