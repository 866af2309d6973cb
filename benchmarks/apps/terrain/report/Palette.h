#pragma once

#include "common/Canvas.h"

namespace terrain {

/// Colour of an elevation from 0 (the lowest) to 1 (the highest): from green valleys to pale
/// summits.
apps::Color elevation_color(double height);

/// Colour of a change from -1 (largest decrease) to 1 (largest increase): from red over white to
/// blue. Colour-blind readers can distinguish the two ends.
apps::Color change_color(double change);

}  // namespace terrain
