#pragma once

#include "dash/Types.h"
#include "dash/pattern/PatternProperties.h"
#include "dash/pattern/internal/BlockMapping.h"
#include "dash/pattern/internal/MappedPattern.h"

namespace dash {

/// Divides an N-dimensional index space into blocks and distributes them to a grid of units,
/// dimension by dimension. A unit stores its elements as one N-dimensional array, in which its
/// blocks are joined in the order of the pattern.
///
/// The linear global index is the canonical index over all extents.
/// \see internal::MappedPattern for the interface, internal::DistributedPattern for the
///         constructors
/// \ingroup patterns
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class BlockPattern
    : public internal::DistributedPattern<
          internal::BlockMapping<NumDimensions, Arrangement, internal::SignedIndex<IndexType>>> {
  using Base = internal::DistributedPattern<
      internal::BlockMapping<NumDimensions, Arrangement, internal::SignedIndex<IndexType>>>;

 public:
  /// The name of the pattern class.
  static constexpr const char* PatternName = "BlockPattern";

  /// How the pattern divides the index space into blocks.
  using partitioning_properties =
      pattern_partitioning_properties<pattern_partitioning_tag::rectangular,
                                      pattern_partitioning_tag::balanced,
                                      pattern_partitioning_tag::unbalanced>;
  /// How the pattern assigns blocks to units.
  using mapping_properties = pattern_mapping_properties<pattern_mapping_tag::unbalanced>;
  /// How the elements of a unit are arranged in its memory.
  using layout_properties =
      internal::pattern_layout_in_order<Arrangement, pattern_layout_tag::canonical,
                                        pattern_layout_tag::linear>;

  using Base::Base;
  /// An empty pattern.
  BlockPattern() = default;
};

/// The default pattern of containers.
/// \ingroup patterns
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
using Pattern = BlockPattern<NumDimensions, Arrangement, IndexType>;

}  // namespace dash
