#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/halo/Types.h"

namespace dash::halo::internal {

class HaloExchange;

/// A box of the border: its range of positions in the iteration over the border, and the halo
/// regions that its elements read.
struct BorderBox {
  std::ptrdiff_t begin;
  std::ptrdiff_t end;
  std::vector<region_index_t> needed;
};

/// Runs the parts of a step on the threads of the unit: first the parts of the border whose regions
/// have arrived, then chunks of the `ninner` elements that need no halo.
/// \param inner, border  called with ranges of positions
/// \pre the update has been started
/// \throws the exception of a part; the sends of the update are complete then
DASH_API void run_stencil(HaloExchange& exchange, std::size_t ninner,
                          exec::FunctionRef<void(std::size_t, std::size_t)> inner,
                          std::span<const BorderBox> boxes,
                          exec::FunctionRef<void(std::ptrdiff_t, std::ptrdiff_t)> border);

}  // namespace dash::halo::internal
