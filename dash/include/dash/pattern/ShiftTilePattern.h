#pragma once

#include "dash/Types.h"
#include "dash/pattern/PatternProperties.h"
#include "dash/pattern/internal/MappedPattern.h"
#include "dash/pattern/internal/SkewedMapping.h"

namespace dash {

/// Cuts an N-dimensional index space into tiles and deals them along diagonals: the tile at
/// coordinates c belongs to unit (c0 + c1 + ...) % units, so that each row and each column of tiles
/// goes through all units. A unit keeps its elements tile by tile, in the order of the tiles.
///
/// The linear global index goes tile by tile. What a unit has is a column of tiles: its local
/// coordinates count through one tile after the other in the outermost dimension. Extents need not
/// be multiples of the tiles; then some local coordinates within local_extents() are of no element.
/// \see internal::MappedPattern for what it tells, internal::DistributedPattern for its construction
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class ShiftTilePattern : public internal::DistributedPattern<internal::SkewedMapping<
                             NumDimensions, Arrangement, IndexType, internal::Skew::diagonal>> {
  using Base = internal::DistributedPattern<
      internal::SkewedMapping<NumDimensions, Arrangement, IndexType, internal::Skew::diagonal>>;

 public:
  static constexpr const char* PatternName = "ShiftTilePattern";

  using partitioning_properties =
      pattern_partitioning_properties<pattern_partitioning_tag::rectangular,
                                      pattern_partitioning_tag::balanced>;
  using mapping_properties =
      pattern_mapping_properties<pattern_mapping_tag::balanced, pattern_mapping_tag::unbalanced,
                                 pattern_mapping_tag::diagonal>;
  using layout_properties =
      internal::pattern_layout_in_order<Arrangement, pattern_layout_tag::blocked,
                                        pattern_layout_tag::linear>;

  using Base::Base;
  ShiftTilePattern() = default;
};

}  // namespace dash
