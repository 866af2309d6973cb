#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/halo/Types.h"

namespace dash::halo::internal {

class HaloExchange;

/// Number of inner elements that a thread computes between two checks for arrived regions: a few
/// microseconds. Longer rows are divided.
inline constexpr std::ptrdiff_t stencil_chunk_size = 8192;

/// A box of the border: its range of positions in the iteration over the border, and the halo
/// regions that its elements read.
struct BorderBox {
  std::ptrdiff_t begin;
  std::ptrdiff_t end;
  std::vector<region_index_t> needed;
};

/// The elements before or after the inner part of each row: their number in a row, and the halo
/// regions that they read.
struct RowEnds {
  RegionPos side;
  std::ptrdiff_t width;
  std::vector<region_index_t> needed;
};

/// The inner part of a block as a sequence of units: rows, or segments of long rows.
struct InnerUnits {
  std::ptrdiff_t number = 0;
  std::ptrdiff_t size = 0;  ///< maximum number of elements of a unit
  std::vector<RowEnds> ends;
};

/// The parts of a step: the rows of the inner part with their ends, and the other boxes.
struct StencilParts {
  InnerUnits inner;
  std::vector<BorderBox> boxes;
};

/// The functions that compute the parts.
struct StencilFunctions {
  exec::FunctionRef<void(std::ptrdiff_t begin, std::ptrdiff_t end)> inner;  ///< range of units
  exec::FunctionRef<void(std::ptrdiff_t begin, std::ptrdiff_t end, RegionPos side)> ends;
  exec::FunctionRef<void(std::ptrdiff_t begin, std::ptrdiff_t end)> border;  ///< of positions
};

/// Runs the parts of a step on the threads of the unit: first the boxes of the border whose regions
/// have arrived, then chunks of the inner part, each with its ends if their regions have arrived.
/// \param exchanges  of the fields; a region has arrived if it has arrived for all of them
/// \pre the updates have been started
/// \throws the exception of a part; the sends of the updates are complete then
DASH_API void run_stencil(std::span<HaloExchange* const> exchanges, const StencilParts& parts,
                          const StencilFunctions& functions);

}  // namespace dash::halo::internal
