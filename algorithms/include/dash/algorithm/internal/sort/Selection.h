#pragma once

#include <cstddef>
#include <vector>

#include "dash/Types.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// Elements that a unit has selected from a block of consecutive positions, all of which belong to
/// one unit.
struct SelectedBlock {
  default_index_t position;  ///< first position of the block
  default_index_t count;     ///< number of selected elements, at most the number of positions
  std::size_t chunk;         ///< buffer that contains the elements
  std::size_t begin;
  default_index_t rank = 0;  ///< number of selected elements of all units at lower positions
};

/// The elements that the units have selected.
struct Selection {
  std::vector<SelectedBlock> blocks;  ///< of the caller, ordered by position
  default_index_t total;              ///< number of selected elements of all units
};

/// Computes the ranks of selected elements.
/// \param select  returns the caller's blocks, in any order; no block is empty
/// \param size  number of elements of the range
/// \collective over the team of the call
/// \throws exception::RuntimeError on all units if `select` throws on one
/// \cost an all-gather of the blocks of all units if they are few; otherwise all-reduces of 128 KiB
///       each with one bit per element of the range
DASH_API Selection rank_selected(Call& call, exec::FunctionRef<std::vector<SelectedBlock>()> select,
                                 default_index_t size);

}  // namespace dash::internal
