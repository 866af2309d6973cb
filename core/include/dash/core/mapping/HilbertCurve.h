#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dash/core/Export.h"

namespace dash::core::mapping {

/// The cells of a box of arbitrary extents along a generalized Hilbert curve. Successive cells are almost
/// always neighbours (diagonal ones if extents are odd), and cells that are close on the curve are close in
/// the box. For two and three dimensions of equal powers of two it is the Hilbert curve.
/// \param extents  at most Grid::max_dimensions, none of them 0
/// \returns row-major indices of all cells, each once
/// \threads thread-safe   \cost linear in cells times dimensions
/// \see     J. Cerveny, Generalized Hilbert space-filling curve for rectangular domains
DASH_API std::vector<std::uint32_t> hilbert_curve(std::span<const std::uint32_t> extents);

}  // namespace dash::core::mapping
