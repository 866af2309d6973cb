#pragma once

#include <cstddef>
#include <cstdint>

#include "dash/core/mapping/GridMapping.h"

namespace dash::core::mapping {

/// Calls f(position, next position, weight) once for each pair of neighbours on the grid; twice in a periodic
/// dimension of extent 2, where they are neighbours on both sides.
template <class F>
void for_each_pair(const Grid& grid, F&& f) {
  const std::size_t size = grid.size();
  std::size_t stride = size;
  for (std::size_t d = 0; d < grid.extents.size(); ++d) {
    const std::size_t extent = grid.extents[d];
    const double weight = grid.weight(d);
    const std::size_t block = stride;  // number of positions with equal coordinates before d
    stride /= extent;
    if (extent == 1 || weight == 0) continue;
    const std::size_t inner = block - stride;
    for (std::size_t begin = 0; begin < size; begin += block) {
      for (std::size_t i = 0; i < inner; ++i)
        f(static_cast<std::uint32_t>(begin + i), static_cast<std::uint32_t>(begin + i + stride),
          weight);
      if (!grid.is_periodic(d)) continue;
      for (std::size_t i = 0; i < stride; ++i)
        f(static_cast<std::uint32_t>(begin + inner + i), static_cast<std::uint32_t>(begin + i),
          weight);
    }
  }
}

}  // namespace dash::core::mapping
