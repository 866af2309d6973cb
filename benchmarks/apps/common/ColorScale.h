#pragma once

#include <span>

#include "common/Canvas.h"

namespace apps {

/// The colour of a value, in a scale of several: between them colours are mixed.
struct ColorStop {
  double position;
  Color color;
};

/// \param stops  one or more, by ascending position; beyond the ends are the colours of the ends
Color color_at(std::span<const ColorStop> stops, double position);

}  // namespace apps
