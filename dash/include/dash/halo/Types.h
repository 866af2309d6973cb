#pragma once

/// \file
/// Small types that all of the halo module shares.

#include <cstddef>
#include <cstdint>

#include "dash/Types.h"

namespace dash::halo {

/// What lies beyond the global border of a dimension.
enum class BoundaryProp : std::uint8_t {
  NONE,    ///< nothing: elements whose stencil leaves the domain are not visited
  CYCLIC,  ///< the opposite side
  CUSTOM   ///< values that the user sets (HaloMatrixWrapper::set_custom_halos)
};

/// Side of a block in one dimension: towards lower or towards higher coordinates.
enum class RegionPos : bool { PRE, POST };

/// Kept for source compatibility: both settings use the same exchange, which needs no such signal
/// because halo memory is double buffered (HaloExchange.h).
enum class SignalReady : bool { ON, OFF };

namespace internal {

using region_coord_t = std::uint8_t;
using region_index_t = std::uint32_t;
using region_extent_t = std::uint16_t;
using spoint_value_t = std::int16_t;

/// Number of regions around and including a block: 3^N.
template <dim_t NumDimensions>
inline constexpr region_index_t NumRegionsMax = 3 * NumRegionsMax<NumDimensions - 1>;
template <>
inline constexpr region_index_t NumRegionsMax<0> = 1;

/// Coordinates of a region in one dimension: before, in, and after the block.
inline constexpr region_coord_t region_pre = 0;
inline constexpr region_coord_t region_center = 1;
inline constexpr region_coord_t region_post = 2;

}  // namespace internal

// Programs spell them so; other names of internal, some of which are common, are not for them.
using internal::NumRegionsMax;
using internal::region_center;
using internal::region_coord_t;
using internal::region_extent_t;
using internal::region_index_t;
using internal::region_post;
using internal::region_pre;
using internal::spoint_value_t;

}  // namespace dash::halo
