#pragma once

#include <array>
#include <utility>
#include <vector>

#include "dash/halo/GlobalBoundarySpec.h"
#include "dash/halo/HaloSpec.h"
#include "dash/halo/RegionCoords.h"
#include "dash/halo/Types.h"
#include "dash/halo/stencil/BlockSplit.h"
#include "dash/halo/stencil/Box.h"

namespace dash::halo {

/// The division of a matrix, or of a box of its elements (the view for which the halo is created),
/// into one block per unit.
/// \ingroup halo
template <dim_t NumDimensions>
struct BlockGrid {
  internal::Coords<NumDimensions> extents{};     ///< of the view, in elements
  internal::Coords<NumDimensions> blocksizes{};  ///< of a full block of the matrix, in elements
  internal::Coords<NumDimensions> blocks{};      ///< number of blocks and units per dimension
  internal::Coords<NumDimensions> begin{};       ///< of the view in the matrix
  internal::Coords<NumDimensions> matrix{};      ///< extents of the matrix

  /// The part of the view in a block in one dimension, relative to the view.
  internal::Interval part(dim_t d, internal::coord_t block) const {
    const internal::Interval all{0, extents[d]};
    const auto first = block * blocksizes[d] - begin[d];
    return all.intersect({first, first + blocksizes[d]});
  }
};

/// The geometry of one unit's block and of the halo regions around it. Any unit can compute it for
/// any other unit: so a sender determines where to store its data.
///
/// Coordinates are relative to the block: halo elements have coordinates that are negative or not
/// less than the extent. The halo memory of a unit consists of its regions in the order of their
/// index, each a canonical array.
/// \ingroup halo
template <dim_t NumDimensions>
class BlockEnvironment {
 public:
  /// Coordinates or extents, one number for each dimension.
  using Coords_t = internal::Coords<NumDimensions>;
  /// A range of coordinates in each dimension.
  using Box_t = internal::Box<NumDimensions>;
  /// The division of the view into blocks.
  using Grid_t = BlockGrid<NumDimensions>;
  /// The halo regions and their widths.
  using HaloSpec_t = HaloSpec<NumDimensions>;
  /// The boundary property of the border in each dimension.
  using GlobalBoundarySpec_t = GlobalBoundarySpec<NumDimensions>;
  /// The position of a region relative to a block.
  using RegionCoords_t = RegionCoords<NumDimensions>;
  /// Whether the block is at the {lower, higher} border, in one dimension.
  using BorderDim_t = std::pair<bool, bool>;
  /// BorderDim_t for each dimension.
  using Border_t = std::array<BorderDim_t, NumDimensions>;

  /// Number of regions around a block, including the block: 3^N.
  static constexpr region_index_t NumRegions = NumRegionsMax<NumDimensions>;

  /// The source of a region's elements.
  enum class Source : std::uint8_t {
    nothing,   ///< no such region: width 0, the block itself, or beyond a border that is NONE
    neighbor,  ///< the unit at neighbor(region)
    custom     ///< values set by the user
  };

  /// Computes the geometry of any unit's block; used by the library.
  /// \param grid  the division of the view into blocks
  /// \param block_coords  coordinates of the block in units of blocks
  /// \param halo  the halo regions and their widths
  /// \param bounds  boundary properties of the border
  BlockEnvironment(const Grid_t& grid, const Coords_t& block_coords, const HaloSpec_t& halo,
                   const GlobalBoundarySpec_t& bounds)
      : _grid(grid),
        _block_coords(block_coords),
        _halo(halo),
        _bounds(bounds),
        _sources(NumRegions),
        _halo_boxes(NumRegions),
        _region_offsets(NumRegions + 1) {
    for (dim_t d = 0; d < NumDimensions; ++d) {
      const auto part = grid.part(d, block_coords[d]);
      const auto block_begin = block_coords[d] * grid.blocksizes[d];
      _offsets[d] = part.begin;
      _extents[d] = part.size();
      _memory_extents[d] = std::min(grid.blocksizes[d], grid.matrix[d] - block_begin);
      _border[d] = {block_coords[d] == 0, block_coords[d] == grid.blocks[d] - 1};
    }
    internal::coord_t offset = 0;
    for (region_index_t region = 0; region < NumRegions; ++region) {
      _sources[region] = find_source(region);
      _halo_boxes[region] = find_halo_box(region);
      _region_offsets[region] = offset;
      offset += _halo_boxes[region].size();
    }
    _region_offsets[NumRegions] = offset;
  }

  /// The division of the view into blocks.
  const Grid_t& grid() const { return _grid; }
  /// Coordinates of the block in units of blocks.
  const Coords_t& block_coords() const { return _block_coords; }
  /// The halo regions and their widths.
  const HaloSpec_t& halo_spec() const { return _halo; }
  /// The boundary property of the border in each dimension.
  const GlobalBoundarySpec_t& global_boundary_spec() const { return _bounds; }

  /// Number of elements of the block per dimension.
  const Coords_t& extents() const { return _extents; }

  /// Coordinates of the block's first element in the view, which may be the whole matrix.
  const Coords_t& offsets() const { return _offsets; }

  /// Extents of the canonical array in memory that contains the block: all of the unit's elements
  /// of the matrix.
  const Coords_t& memory_extents() const { return _memory_extents; }

  /// Whether the block is at the {lower, higher} border of the matrix, per dimension.
  const Border_t& border() const { return _border; }

  /// Whether a region exists, and whether a neighbour or the user provides its elements.
  Source source(region_index_t region) const { return _sources[region]; }

  /// Whether the region lies beyond the border of the matrix in at least one dimension.
  bool is_border_region(region_index_t region) const {
    const auto coords = RegionCoords_t::coords(region);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      if (crosses_border(coords, d)) return true;
    }
    return false;
  }

  /// The boundary property of a region beyond the border: NONE if any dimension in which the region
  /// crosses the border is NONE; otherwise CUSTOM if any is CUSTOM; otherwise CYCLIC.
  BoundaryProp border_prop(region_index_t region) const {
    const auto coords = RegionCoords_t::coords(region);
    auto prop = BoundaryProp::CYCLIC;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      if (!crosses_border(coords, d)) continue;
      if (_bounds[d] == BoundaryProp::NONE) return BoundaryProp::NONE;
      if (_bounds[d] == BoundaryProp::CUSTOM) prop = BoundaryProp::CUSTOM;
    }
    return prop;
  }

  /// The block in the direction of a region, periodic if the border is CYCLIC. Only meaningful if
  /// has_neighbor(region).
  Coords_t neighbor(region_index_t region) const {
    const auto coords = RegionCoords_t::coords(region);
    auto block = _block_coords;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      block[d] = (block[d] + coords[d] - 1 + _grid.blocks[d]) % _grid.blocks[d];
    }
    return block;
  }

  /// Whether there is a block in this direction, independent of the width of the halo.
  bool has_neighbor(region_index_t region) const {
    if (region == RegionCoords_t::center_index()) return false;
    return !is_border_region(region) || border_prop(region) == BoundaryProp::CYCLIC;
  }

  /// Whether two blocks contain the same elements of matrices with the same extents, at the same
  /// positions in memory, and have the same borders.
  friend bool has_same_block(const BlockEnvironment& a, const BlockEnvironment& b) {
    return a._extents == b._extents && a._offsets == b._offsets &&
           a._memory_extents == b._memory_extents && a._grid.begin == b._grid.begin &&
           a._grid.matrix == b._grid.matrix && a._border == b._border && a._bounds == b._bounds;
  }

  /// The elements of a halo region, relative to the block; empty if there is none.
  const Box_t& halo_box(region_index_t region) const { return _halo_boxes[region]; }

  /// The elements of the block that the neighbour in direction `region` stores as its halo region
  /// opposite_index(region); empty if it has no such region.
  Box_t send_box(region_index_t region) const {
    Box_t box;
    if (!has_neighbor(region)) return box;
    const internal::coord_t width = _halo.extent(RegionCoords_t::opposite_index(region));
    if (width == 0) return box;
    const auto coords = RegionCoords_t::coords(region);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      box[d] = coords[d] == region_pre    ? internal::Interval{0, width}
               : coords[d] == region_post ? internal::Interval{_extents[d] - width, _extents[d]}
                                          : internal::Interval{0, _extents[d]};
    }
    return box;
  }

  /// Position of a region's first element in the halo memory.
  internal::coord_t region_offset(region_index_t region) const { return _region_offsets[region]; }

  /// Number of elements of all halo regions.
  internal::coord_t halo_size() const { return _region_offsets[NumRegions]; }

  /// The region that contains coordinates relative to the block; the centre if the block contains
  /// them.
  region_index_t region_at(const Coords_t& coords) const {
    region_index_t region = 0;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      region = 3 * region + (coords[d] < 0              ? region_pre
                             : coords[d] >= _extents[d] ? region_post
                                                        : region_center);
    }
    return region;
  }

  /// The division of the block for a stencil with this reach towards lower and higher coordinates.
  internal::BlockSplit<NumDimensions> split(
      const typename internal::BlockSplit<NumDimensions>::Reach& reach) const {
    auto closed = _border;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      const bool none = _bounds[d] == BoundaryProp::NONE;
      closed[d] = {closed[d].first && none, closed[d].second && none};
    }
    return {_extents, reach, closed};
  }

  /// The division of the block for the widest stencil that the halo regions support.
  internal::BlockSplit<NumDimensions> split() const {
    typename internal::BlockSplit<NumDimensions>::Reach reach;
    for (dim_t d = 0; d < NumDimensions; ++d) {
      reach[d] = _halo.halo_extension_max(d);
    }
    return split(reach);
  }

 private:
  bool crosses_border(const typename RegionCoords_t::Coords_t& coords, dim_t d) const {
    return (coords[d] == region_pre && _border[d].first) ||
           (coords[d] == region_post && _border[d].second);
  }

  Source find_source(region_index_t region) const {
    if (_halo.extent(region) == 0) return Source::nothing;
    if (has_neighbor(region)) return Source::neighbor;
    return border_prop(region) == BoundaryProp::CUSTOM ? Source::custom : Source::nothing;
  }

  Box_t find_halo_box(region_index_t region) const {
    Box_t box;
    if (_sources[region] == Source::nothing) return box;
    const internal::coord_t width = _halo.extent(region);
    const auto coords = RegionCoords_t::coords(region);
    for (dim_t d = 0; d < NumDimensions; ++d) {
      box[d] = coords[d] == region_pre    ? internal::Interval{-width, 0}
               : coords[d] == region_post ? internal::Interval{_extents[d], _extents[d] + width}
                                          : internal::Interval{0, _extents[d]};
    }
    return box;
  }

  Grid_t _grid;
  Coords_t _block_coords;
  HaloSpec_t _halo;
  GlobalBoundarySpec_t _bounds;
  Coords_t _extents{};
  Coords_t _offsets{};
  Coords_t _memory_extents{};
  Border_t _border{};
  // Not arrays: with many dimensions they would exceed the stack.
  std::vector<Source> _sources;
  std::vector<Box_t> _halo_boxes;
  std::vector<internal::coord_t> _region_offsets;
};

}  // namespace dash::halo
