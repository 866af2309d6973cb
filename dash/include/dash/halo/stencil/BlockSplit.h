#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "dash/halo/RegionCoords.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/Box.h"

namespace dash::halo::internal {

/// Divides a block into the elements whose stencil stays inside of it (inner), those whose stencil
/// reaches a halo (boundary), and those whose stencil leaves the domain at a border that is NONE.
///
/// In each dimension the block is divided into three intervals: before, in and after the inner
/// part; a region index identifies one of the 3^N boxes that they span. If a block is so small that
/// the stencil of an element reaches beyond both of its ends, the element belongs to the interval
/// before.
template <dim_t N>
class BlockSplit {
 public:
  /// The stencil's reach towards lower and higher coordinates, in elements.
  using Reach = std::array<std::pair<coord_t, coord_t>, N>;
  /// Whether the {lower, higher} border of the block is a border of the domain that is NONE.
  using Closed = std::array<std::pair<bool, bool>, N>;

  constexpr BlockSplit() = default;

  constexpr BlockSplit(const Coords<N>& extents, const Reach& reach, const Closed& closed) {
    for (dim_t d = 0; d < N; ++d) {
      const coord_t extent = extents[d];
      const coord_t low = std::min(reach[d].first, extent);
      const coord_t high = std::max(extent - reach[d].second, low);
      const coord_t valid_begin = closed[d].first ? low : 0;
      const coord_t valid_end =
          closed[d].second ? std::max(extent - reach[d].second, valid_begin) : extent;
      _valid[d] = {valid_begin, valid_end};
      _inner[d] = {low, high};
      _intervals[d][region_pre] = Interval{0, low}.intersect(_valid[d]);
      _intervals[d][region_center] = _inner[d].intersect(_valid[d]);
      _intervals[d][region_post] = Interval{high, extent}.intersect(_valid[d]);
    }
  }

  /// Elements whose stencil stays inside of the block.
  constexpr const Box<N>& inner() const { return _inner; }

  /// Inner and boundary elements: those whose stencil stays inside of the domain.
  constexpr const Box<N>& valid() const { return _valid; }

  /// The boundary elements that need the halo regions around `region`; empty for the centre.
  constexpr Box<N> boundary(region_index_t region) const {
    Box<N> box;
    if (region == RegionCoords<N>::center_index()) return box;
    const auto coords = RegionCoords<N>::coords(region);
    for (dim_t d = 0; d < N; ++d) {
      box[d] = _intervals[d][coords[d]];
    }
    return box;
  }

  /// The boundary elements at one side of one dimension, without those at a side of a lower
  /// dimension: the 2 N sides are disjoint, and their union is the boundary.
  constexpr Box<N> side(dim_t dim, RegionPos pos) const {
    Box<N> box;
    for (dim_t d = 0; d < N; ++d) {
      box[d] = d < dim ? _intervals[d][region_center] : _valid[d];
    }
    box[dim] = _intervals[dim][pos == RegionPos::PRE ? region_pre : region_post];
    return box;
  }

 private:
  Box<N> _inner;
  Box<N> _valid;
  std::array<std::array<Interval, 3>, N> _intervals{};
};

}  // namespace dash::halo::internal
