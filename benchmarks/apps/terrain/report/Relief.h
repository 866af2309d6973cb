#pragma once

#include <cstddef>

#include "input/Field.h"

namespace terrain {

/// Resamples a field: area averages if the resolution becomes coarser, cubic interpolation
/// (Catmull-Rom) if it becomes finer.
Field resample(const Field& field, std::size_t rows, std::size_t cols);

/// Brightness of the terrain lit from the north-west, from 0 to 1. Weaker lights from other
/// directions keep all slopes visible.
/// \param cell_size     metres
/// \param exaggeration  factor on elevations
Field hill_shade(const Field& elevation, double cell_size, double exaggeration);

/// Height of each cell above (positive) or below (negative) the mean of its surroundings, in
/// metres.
/// \param radius  radius of the surroundings, in cells
Field local_height(const Field& elevation, std::size_t radius);

/// A factor on elevations with which the steeper slopes of a terrain appear steep, independent of
/// its real relief.
double choose_exaggeration(const Field& elevation, double cell_size);

/// The quantile \p share (0 to 1) of the absolute values of a field.
double magnitude_quantile(const Field& field, double share);

}  // namespace terrain
