#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/Mesh.h"

namespace lulesh {

/// Distribution of the elements over materials. A material only determines the amount of work, not
/// the physics.
struct RegionOptions {
  int regions = 11;
  int balance = 1;  ///< exponent of the weights: the higher, the more the sizes of regions differ
  int cost = 1;     ///< additional repetitions of the equation of state for expensive materials
};

/// The elements of one material, in ascending order.
struct Region {
  std::vector<std::uint32_t> elements;
  int repetitions = 1;  ///< how often the equation of state is computed
};

/// Whether the sum of the weights of all regions fits into an int, which the random selection uses.
bool has_valid_weights(const RegionOptions& options);

/// The materials of a unit's subdomain. \pre has_valid_weights(options)
std::vector<Region> make_regions(const Mesh& mesh, const RegionOptions& options, int unit);

}  // namespace lulesh
