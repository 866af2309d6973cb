#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/halo/Types.h"

namespace dash::halo::internal {

class HaloExchange;

/// Elements of the border, by their positions in its iteration, and the halo regions they read.
struct BorderPiece {
  std::ptrdiff_t begin;
  std::ptrdiff_t end;
  std::vector<region_index_t> needed;
};

/// Runs the parts of a step on the threads of the unit: pieces of the border whose regions have
/// arrived come first, then chunks of the `ninner` elements that need none.
/// \pre the update has been started
/// \throws what a part throws; the sends of the update are complete then
DASH_API void run_stencil(HaloExchange& exchange, std::size_t ninner,
                          exec::FunctionRef<void(std::size_t, std::size_t)> inner,
                          std::span<const BorderPiece> pieces,
                          exec::FunctionRef<void(const BorderPiece&)> border);

}  // namespace dash::halo::internal
