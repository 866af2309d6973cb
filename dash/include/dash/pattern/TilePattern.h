#pragma once

#include "dash/Types.h"
#include "dash/pattern/PatternProperties.h"
#include "dash/pattern/internal/MappedPattern.h"
#include "dash/pattern/internal/TileMapping.h"

namespace dash {

/// Divides an N-dimensional index space into tiles and distributes them to a grid of units,
/// dimension by dimension, like BlockPattern. A unit stores its elements tile by tile; each tile is
/// contiguous.
///
/// The linear global index proceeds tile by tile, too, and so do iterators. Extents need not be
/// multiples of the tile extents: the last tiles are smaller then, and memory has no gaps.
/// \see internal::MappedPattern for the interface, internal::DistributedPattern for the
///         constructors
/// \ingroup patterns
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class TilePattern
    : public internal::DistributedPattern<
          internal::TileMapping<NumDimensions, Arrangement, internal::SignedIndex<IndexType>>> {
  using Base = internal::DistributedPattern<
      internal::TileMapping<NumDimensions, Arrangement, internal::SignedIndex<IndexType>>>;

 public:
  /// The name of the pattern class.
  static constexpr const char* PatternName = "TilePattern";

  /// How the pattern divides the index space into blocks.
  using partitioning_properties =
      pattern_partitioning_properties<pattern_partitioning_tag::rectangular,
                                      pattern_partitioning_tag::balanced>;
  /// How the pattern assigns blocks to units.
  using mapping_properties =
      pattern_mapping_properties<pattern_mapping_tag::balanced, pattern_mapping_tag::unbalanced>;
  /// How the elements of a unit are arranged in its memory.
  using layout_properties =
      internal::pattern_layout_in_order<Arrangement, pattern_layout_tag::blocked,
                                        pattern_layout_tag::linear>;

  using Base::Base;
  /// An empty pattern.
  TilePattern() = default;
};

}  // namespace dash
