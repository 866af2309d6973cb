#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dash/core/mapping/GridMapping.h"

namespace dash::core::mapping {

/// A boundary between two successive parts of the machine (nodes, NUMA domains).
struct PartBoundary {
  std::uint32_t end = 0;    ///< units before it, in the order of the machine
  std::uint32_t level = 0;  ///< how far apart in the network the two are
};

/// The cells of a grid such that the units between two boundaries get cells close together: the
/// machine is cut in two where its parts are farthest apart, the grid across its longest extent, in as
/// many cells as there are units on either side; and so on with the halves.
/// \param boundaries  ascending; without the beginning, with the end of all units
/// \returns all positions, each once
/// \cost    cells times the logarithm of the number of parts
std::vector<std::uint32_t> bisected_cells(const Grid& grid,
                                          std::span<const PartBoundary> boundaries);

}  // namespace dash::core::mapping
