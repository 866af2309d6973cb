#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dash/core/Export.h"

namespace dash::core::mapping {

/// The cells of a box of any extents along a curve like Hilbert's: successive cells are neighbours
/// nearly always (diagonal ones where extents are odd), and cells close on the curve are close in the
/// box. With two and three dimensions of equal powers of two it is a Hilbert curve.
/// \param extents  at most Grid::max_dimensions, none of them 0
/// \returns row-major indices of all cells, each once
/// \threads any   \cost linear in cells times dimensions
/// \see     J. Cerveny, Generalized Hilbert space-filling curve for rectangular domains
DASH_API std::vector<std::uint32_t> hilbert_curve(std::span<const std::uint32_t> extents);

}  // namespace dash::core::mapping
