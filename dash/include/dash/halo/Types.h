#pragma once

/// \file
/// Basic types of the halo module.

#include <cstddef>
#include <cstdint>

#include "dash/Types.h"

namespace dash::halo {

/// The properties of the global border of a dimension.
/// \ingroup halo
enum class BoundaryProp : std::uint8_t {
  NONE,    ///< no elements: elements whose stencil leaves the domain are not visited
  CYCLIC,  ///< the opposite side
  CUSTOM   ///< values that the user sets (HaloMatrixWrapper::set_custom_halos)
};

/// Side of a block in one dimension: towards lower or higher coordinates.
/// \ingroup halo
enum class RegionPos : bool { PRE, POST };

/// Kept for source compatibility. Both settings use the same exchange, which needs no such signal
/// because the halo memory is double buffered (HaloExchange.h).
/// \ingroup halo
enum class SignalReady : bool { ON, OFF };

namespace internal {

using region_coord_t = std::uint8_t;
using region_index_t = std::uint32_t;
using region_extent_t = std::uint16_t;
using spoint_value_t = std::int16_t;

/// Number of regions around a block, including the block: 3^N.
template <dim_t NumDimensions>
inline constexpr region_index_t NumRegionsMax = 3 * NumRegionsMax<NumDimensions - 1>;
template <>
inline constexpr region_index_t NumRegionsMax<0> = 1;

/// Coordinate of a region in one dimension: before, in, or after the block.
inline constexpr region_coord_t region_pre = 0;
inline constexpr region_coord_t region_center = 1;
inline constexpr region_coord_t region_post = 2;

}  // namespace internal

// Part of DASH's API; the other names of this internal namespace are not.
using internal::NumRegionsMax;
using internal::region_center;
using internal::region_coord_t;
using internal::region_extent_t;
using internal::region_index_t;
using internal::region_post;
using internal::region_pre;
using internal::spoint_value_t;

}  // namespace dash::halo
