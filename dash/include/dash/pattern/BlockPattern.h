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
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
class BlockPattern : public internal::DistributedPattern<
                         internal::BlockMapping<NumDimensions, Arrangement, IndexType>> {
  using Base =
      internal::DistributedPattern<internal::BlockMapping<NumDimensions, Arrangement, IndexType>>;

 public:
  static constexpr const char* PatternName = "BlockPattern";

  using partitioning_properties =
      pattern_partitioning_properties<pattern_partitioning_tag::rectangular,
                                      pattern_partitioning_tag::balanced,
                                      pattern_partitioning_tag::unbalanced>;
  using mapping_properties = pattern_mapping_properties<pattern_mapping_tag::unbalanced>;
  using layout_properties =
      internal::pattern_layout_in_order<Arrangement, pattern_layout_tag::canonical,
                                        pattern_layout_tag::linear>;

  using Base::Base;
  BlockPattern() = default;
};

/// The default pattern of containers.
template <dim_t NumDimensions, MemArrange Arrangement = ROW_MAJOR,
          typename IndexType = default_index_t>
using Pattern = BlockPattern<NumDimensions, Arrangement, IndexType>;

}  // namespace dash
