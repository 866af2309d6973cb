#pragma once

#include <array>
#include <ostream>

#include "dash/halo/RegionCoords.h"
#include "dash/halo/Types.h"

namespace dash::halo {

/// A halo region and its width, which is the same in all dimensions in which it is not beside the
/// block.
/// \ingroup halo
template <dim_t NumDimensions>
class RegionSpec {
 public:
  /// The position of a region relative to a block.
  using RegionCoords_t = RegionCoords<NumDimensions>;

  constexpr RegionSpec() = default;
  /// A region given by its position.
  /// \param extent  width in elements
  constexpr RegionSpec(const RegionCoords_t& coords, region_extent_t extent)
      : _coords(coords), _extent(extent) {}
  /// A region given by its index, 0 to 3^N - 1.
  /// \param extent  width in elements
  constexpr RegionSpec(region_index_t index, region_extent_t extent)
      : _coords(index), _extent(extent) {}

  /// The region's number, 0 to 3^N - 1.
  constexpr region_index_t index() const { return _coords.index(); }
  /// Position relative to the block.
  constexpr const RegionCoords_t& coords() const { return _coords; }

  /// Width in elements; 0 if there is no such region.
  constexpr region_extent_t extent() const { return _extent; }

  /// Position relative to the block in one dimension: 0 (before), 1 (beside) or 2 (after).
  constexpr region_coord_t operator[](dim_t dim) const { return _coords[dim]; }

  /// The last dimension in which the region is not beside the block, counted from 1; 1 for the
  /// centre.
  constexpr dim_t relevant_dim() const {
    for (dim_t d = NumDimensions; d-- > 0;) {
      if (_coords[d] != region_center) return d + 1;
    }
    return 1;
  }

  /// The number of dimensions in which the region is not beside the block.
  constexpr dim_t level() const { return _coords.level(); }

  friend constexpr bool operator==(const RegionSpec& a, const RegionSpec& b) {
    return a._coords == b._coords && a._extent == b._extent;
  }

  friend std::ostream& operator<<(std::ostream& os, const RegionSpec& spec) {
    return os << "RegionSpec(" << spec._coords << ", extent " << spec._extent << ')';
  }

 private:
  RegionCoords_t _coords{};
  region_extent_t _extent = 0;
};

}  // namespace dash::halo
