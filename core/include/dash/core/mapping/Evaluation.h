#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dash/core/Export.h"
#include "dash/core/mapping/GridMapping.h"
#include "dash/core/mapping/Machine.h"

namespace dash::core::mapping {

/// What one step, in which every unit sends to all its neighbours, puts on one level of the machine.
struct LevelLoad {
  std::string name;
  std::size_t num_links = 0;  ///< that the units may use; each has two directions
  double bytes = 0;           ///< that leave a part of this level, and none of a higher one
  double hop_bytes = 0;       ///< bytes times the links of this level that they pass
  double largest_load = 0;    ///< bytes on one direction of the link that takes the longest
  double bandwidth = 0;       ///< of that link
  std::string largest_link;   ///< its name; empty if nothing passes
};

/// What one step costs.
struct Evaluation {
  /// core (units of one NUMA domain), NUMA, node, then switches upward, or the torus by dimension.
  std::vector<LevelLoad> levels;
  double bytes = 0;              ///< sent by all units
  double hop_bytes = 0;          ///< of all levels
  double network_hop_bytes = 0;  ///< of those above the NUMA domains
  double cost = 0;               ///< bytes over bandwidth, summed up over all links
  double bottleneck = 0;         ///< bytes over bandwidth of the one where that is the largest
};

/// Counts what a step puts on every link; Links.h says which ones a message passes.
/// \threads any   \throws exception::InvalidArgument as map_grid
/// \cost    linear in units times dimensions times links that a message passes
DASH_API Evaluation evaluate(const Machine& machine, std::span<const UnitPlace> places,
                             const Grid& grid, const GridMapping& mapping);

/// Evaluation::cost alone.
DASH_API double total_cost(const Machine& machine, std::span<const UnitPlace> places,
                           const Grid& grid, const GridMapping& mapping);

}  // namespace dash::core::mapping
