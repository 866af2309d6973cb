#pragma once

#include <vector>

#include "Fields.h"
#include "Loop.h"
#include "Regions.h"

namespace lulesh {

/// The equation of state: energy, pressure, artificial viscosity and speed of sound at the new
/// volumes.
/// \throws VolumeError if an element had no volume
void apply_material(const std::vector<Region>& regions, const Fields& fields, const Loop& loop);

}  // namespace lulesh
