#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dash/core/mapping/GridMapping.h"

namespace dash::core::mapping {

/// Boundary between two successive parts of the machine (nodes, NUMA domains).
struct PartBoundary {
  std::uint32_t end = 0;    ///< number of units before it, in machine order
  std::uint32_t level = 0;  ///< lowest common level of the two parts; a higher one is farther apart
};

/// Orders the cells of a grid so that units between two boundaries get cells that are close together.
/// Recursive bisection: divides the machine where its parts are farthest apart, and the grid across its
/// longest extent, with as many cells as there are units on each side.
/// \param boundaries  ascending; includes the end of all units, but not the beginning
/// \returns all positions, each once
/// \cost    cells times the logarithm of the number of parts
std::vector<std::uint32_t> bisected_cells(const Grid& grid,
                                          std::span<const PartBoundary> boundaries);

}  // namespace dash::core::mapping
