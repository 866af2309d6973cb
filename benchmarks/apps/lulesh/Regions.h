#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "Mesh.h"

namespace lulesh {

/// How the elements are dealt to materials, which only decides how much work they are.
struct RegionOptions {
  int regions = 11;
  int balance = 1;  ///< the higher, the more their sizes differ
  int cost = 1;     ///< how much more often the dear ones are computed
};

/// Elements of one material, in ascending order.
struct Region {
  std::vector<std::uint32_t> elements;
  int repetitions = 1;  ///< of the equation of state
};

/// Whether the sum of what the regions weigh fits into the int that they are drawn by.
bool can_be_drawn(const RegionOptions& options);

/// The materials of a unit's part. \pre can_be_drawn(options)
std::vector<Region> make_regions(const Mesh& mesh, const RegionOptions& options, int unit);

}  // namespace lulesh
