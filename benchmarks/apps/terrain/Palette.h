#pragma once

#include "common/Canvas.h"

namespace terrain {

/// Colour of an elevation, 0 for the lowest to 1 for the highest of a terrain: green valleys to
/// pale summits.
apps::Color elevation_color(double height);

/// Colour of a change, -1 for the most lowered to 1 for the most raised: red to white to blue.
/// The two ends stay apart for colour-blind eyes.
apps::Color change_color(double change);

}  // namespace terrain
