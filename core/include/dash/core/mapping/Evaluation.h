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

/// Load of one level of the machine in a communication step, in which every unit sends to all its neighbours.
struct LevelLoad {
  std::string name;
  std::size_t num_links = 0;  ///< number of bidirectional links that the units may use
  double bytes = 0;           ///< bytes between units whose lowest common level this is
  double hop_bytes = 0;       ///< sum over messages of bytes times links of this level on the route
  double largest_load = 0;    ///< bytes on one direction of the link with the longest transfer time
  double bandwidth = 0;       ///< bandwidth of that link
  std::string largest_link;   ///< name of that link; empty if no link has a load
};

/// Cost of a communication step.
struct Evaluation {
  /// core (units of one NUMA domain), NUMA, node, then the levels of switches or the dimensions of the torus.
  std::vector<LevelLoad> levels;
  double bytes = 0;              ///< sent by all units
  double hop_bytes = 0;          ///< of all levels
  double network_hop_bytes = 0;  ///< of the levels above NUMA domains
  double cost = 0;               ///< bytes divided by bandwidth, summed over all links
  double bottleneck = 0;         ///< maximum over all links of bytes divided by bandwidth
};

/// Computes the load of every link in a communication step; Links.h defines the routes.
/// \threads thread-safe   \throws exception::InvalidArgument as map_grid
/// \cost    linear in units times dimensions times links of a route
DASH_API Evaluation evaluate(const Machine& machine, std::span<const UnitLocation> locations,
                             const Grid& grid, const GridMapping& mapping);

/// Computes Evaluation::cost only.
DASH_API double total_cost(const Machine& machine, std::span<const UnitLocation> locations,
                           const Grid& grid, const GridMapping& mapping);

}  // namespace dash::core::mapping
