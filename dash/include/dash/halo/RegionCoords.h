#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <ostream>
#include <type_traits>
#include <utility>

#include "dash/Dimensional.h"
#include "dash/halo/StencilPoint.h"
#include "dash/halo/Types.h"

namespace dash::halo {

/// The position of a region relative to a block: for each dimension 0 (before), 1 (beside) or 2
/// (after). Its index is the number with these digits in base 3, dimension 0 the most significant:
/// for N = 2
///
///     0 1 2
///     3 4 5      4 is the block itself
///     6 7 8
///
/// \ingroup halo
template <dim_t NumDimensions>
class RegionCoords : public Dimensional<region_coord_t, NumDimensions> {
  using Base = Dimensional<region_coord_t, NumDimensions>;

 public:
  /// 0 (before), 1 (beside) or 2 (after) for each dimension.
  using Coords_t = std::array<region_coord_t, NumDimensions>;

  /// Number of regions, 3^N: one more than the largest index.
  static constexpr region_index_t MaxIndex = NumRegionsMax<NumDimensions>;

  /// The centre.
  constexpr RegionCoords() : RegionCoords(center_index()) {}

  /// The region with an index from 0 to 3^N - 1.
  constexpr explicit RegionCoords(region_index_t index) : Base(coords(index)), _index(index) {}

  /// The region at a position, given by 0, 1 or 2 for each dimension.
  constexpr explicit RegionCoords(const Coords_t& region_coords)
      : Base(region_coords), _index(index_of(region_coords)) {}

  /// \overload
  /// For a list in braces.
  template <std::integral Value>
  constexpr explicit RegionCoords(const Value (&values)[NumDimensions])
      : RegionCoords(coords_of(values)) {}

  /// The region that contains a stencil point of an element at the border.
  template <typename CoeffT>
  constexpr explicit RegionCoords(const StencilPoint<NumDimensions, CoeffT>& point)
      : RegionCoords(index(point)) {}

  /// The region at a position, given by one argument for each dimension: 0, 1 or 2.
  template <typename... Values>
  requires(sizeof...(Values) == NumDimensions && NumDimensions > 1 &&
           (std::is_integral_v<Values> && ...)) constexpr RegionCoords(Values... values)
      : RegionCoords(Coords_t{{static_cast<region_coord_t>(values)...}}) {}

  /// The region's number, 0 to 3^N - 1.
  constexpr region_index_t index() const { return _index; }

  /// Index of the region before or after the block in one dimension and beside it in all others.
  static constexpr region_index_t index(dim_t dim, RegionPos pos) {
    Coords_t region_coords{};
    region_coords.fill(region_center);
    region_coords[dim] = pos == RegionPos::PRE ? region_pre : region_post;
    return index_of(region_coords);
  }

  /// Index of the region given by the signs of a stencil point's offsets.
  template <typename CoeffT>
  static constexpr region_index_t index(const StencilPoint<NumDimensions, CoeffT>& point) {
    region_index_t region = 0;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      region = 3 * region + (point[d] < 0   ? region_pre
                             : point[d] > 0 ? region_post
                                            : region_center);
    }
    return region;
  }

  /// Position of the region with an index.
  static constexpr Coords_t coords(region_index_t index) {
    Coords_t region_coords{};
    for (dim_t d = NumDimensions; d-- > 0; index /= 3) {
      region_coords[d] = static_cast<region_coord_t>(index % 3);
    }
    return region_coords;
  }

  /// Index of the region at a position.
  static constexpr region_index_t index_of(const Coords_t& region_coords) {
    region_index_t region = 0;
    for (const auto coord : region_coords) {
      region = 3 * region + coord;
    }
    return region;
  }

  /// Index of the block itself.
  static constexpr region_index_t center_index() { return MaxIndex / 2; }

  /// The region on the opposite side of the block, which is also the position of the block relative
  /// to `index`.
  static constexpr region_index_t opposite_index(region_index_t index) {
    return MaxIndex - 1 - index;
  }

  /// The number of dimensions in which the region is not beside the block: 1 for a face, N for a
  /// corner.
  constexpr dim_t level() const {
    dim_t dimensions = 0;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      dimensions += (*this)[d] != region_center ? 1 : 0;
    }
    return dimensions;
  }

  friend constexpr bool operator==(const RegionCoords& a, const RegionCoords& b) {
    return a._index == b._index;
  }

  friend std::ostream& operator<<(std::ostream& os, const RegionCoords& region) {
    os << "RegionCoords<" << NumDimensions << ">(index " << region._index << ", coords";
    for (dim_t d = 0; d < NumDimensions; ++d) {
      os << ' ' << static_cast<int>(region[d]);
    }
    return os << ')';
  }

 private:
  template <class Value>
  static constexpr Coords_t coords_of(const Value (&values)[NumDimensions]) {
    Coords_t region_coords{};
    for (dim_t d = 0; d < NumDimensions; ++d)
      region_coords[d] = static_cast<region_coord_t>(values[d]);
    return region_coords;
  }
  region_index_t _index;
};

}  // namespace dash::halo
