#pragma once

#include <vector>

#include "dash/halo/BlockEnvironment.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/Box.h"

namespace dash::halo::internal {

/// An affine map from coordinates to a position in memory.
template <dim_t N>
struct AffineMap {
  coord_t origin = 0;
  Coords<N> strides{};

  constexpr coord_t operator()(const Coords<N>& coords) const {
    return origin + dot<N>(strides, coords);
  }
};

/// The positions of elements in the block's memory and, for each region, in the halo memory. All
/// maps take coordinates relative to the block.
template <dim_t N, MemArrange Arrange>
class HaloLayout {
 public:
  explicit HaloLayout(const BlockEnvironment<N>& env)
      : _strides(canonical_strides<N, Arrange>(env.memory_extents())), _regions(env.NumRegions) {
    for (region_index_t region = 0; region < _regions.size(); ++region) {
      const auto box = env.halo_box(region);
      auto& map = _regions[region];
      map.strides = canonical_strides<N, Arrange>(box.extents());
      map.origin = env.region_offset(region) - dot<N>(map.strides, box.first());
    }
  }

  /// Distances in elements in the block's memory.
  const Coords<N>& strides() const { return _strides; }

  coord_t local(const Coords<N>& coords) const { return dot<N>(_strides, coords); }

  /// Positions in the halo memory of the elements of a region.
  const AffineMap<N>& region(region_index_t region) const { return _regions[region]; }

 private:
  Coords<N> _strides;
  std::vector<AffineMap<N>> _regions;
};

}  // namespace dash::halo::internal
