#pragma once

#include "common/Canvas.h"

namespace terrain {

/// Color of an elevation from 0 (the lowest) to 1 (the highest): from green valleys to pale
/// summits.
apps::Color elevation_color(double height);

/// Color of a change from -1 (largest decrease) to 1 (largest increase): from red over white to
/// blue. Color-blind readers can distinguish the two ends.
apps::Color change_color(double change);

}  // namespace terrain
