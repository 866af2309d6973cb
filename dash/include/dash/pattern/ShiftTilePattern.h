#pragma once

#include "dash/Types.h"
#include "dash/pattern/PatternProperties.h"
#include "dash/pattern/internal/MappedPattern.h"
#include "dash/pattern/internal/SkewedMapping.h"

namespace dash {

/// Divides an N-dimensional index space into tiles and distributes them along diagonals: the tile
/// at coordinates c belongs to unit (c0 + c1 + ...) % units, so that each row and each column of
/// tiles cycles through all units. A unit stores its elements tile by tile, in the order of the
/// tiles.
///
/// The linear global index proceeds tile by tile. The elements of a unit form a column of tiles:
/// its local coordinates enumerate one tile after the other in the outermost dimension. Extents
/// need not be multiples of the tile extents; then some local coordinates within local_extents()
/// belong to no element.
/// \see internal::MappedPattern for the interface, internal::DistributedPattern for the
///         constructors
/// \ingroup patterns
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class ShiftTilePattern
    : public internal::DistributedPattern<internal::SkewedMapping<
          NumDimensions, Arrangement, internal::SignedIndex<IndexType>, internal::Skew::diagonal>> {
  using Base = internal::DistributedPattern<internal::SkewedMapping<
      NumDimensions, Arrangement, internal::SignedIndex<IndexType>, internal::Skew::diagonal>>;

 public:
  /// The name of the pattern class.
  static constexpr const char* PatternName = "ShiftTilePattern";

  /// How the pattern divides the index space into blocks.
  using partitioning_properties =
      pattern_partitioning_properties<pattern_partitioning_tag::rectangular,
                                      pattern_partitioning_tag::balanced>;
  /// How the pattern assigns blocks to units.
  using mapping_properties =
      pattern_mapping_properties<pattern_mapping_tag::balanced, pattern_mapping_tag::unbalanced,
                                 pattern_mapping_tag::diagonal>;
  /// How the elements of a unit are arranged in its memory.
  using layout_properties =
      internal::pattern_layout_in_order<Arrangement, pattern_layout_tag::blocked,
                                        pattern_layout_tag::linear>;

  using Base::Base;
  /// An empty pattern.
  ShiftTilePattern() = default;
};

}  // namespace dash
