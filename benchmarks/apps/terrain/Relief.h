#pragma once

#include <cstddef>

#include "Field.h"

namespace terrain {

/// The field at another resolution: averaged over areas where it gets coarser, interpolated by
/// cubics (Catmull-Rom) where it gets finer.
Field resample(const Field& field, std::size_t rows, std::size_t cols);

/// Brightness of a relief lit from the north-west, with weaker lights from other directions so that
/// no slope is lost in the dark; 0 to 1.
/// \param exaggeration factor on elevations, metres a metre
/// \param cell_size    metres
Field hill_shade(const Field& elevation, double cell_size, double exaggeration);

/// How much a cell lies above its surroundings (positive) or below them (negative), in metres.
/// \param radius of the surroundings, in cells
Field local_height(const Field& elevation, std::size_t radius);

/// The factor on elevations that makes the steeper slopes of a terrain look steep whatever its real
/// relief.
double choose_exaggeration(const Field& elevation, double cell_size);

/// The value that a share \p share (0 to 1) of the magnitudes does not exceed.
double magnitude_quantile(const Field& field, double share);

}  // namespace terrain
