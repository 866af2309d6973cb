#pragma once

#include <cstddef>
#include <vector>

#include "dash/Types.h"
#include "dash/algorithm/internal/call/Call.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// Elements that a unit has selected of consecutive positions of a range, all of which it has.
struct SelectedRun {
  default_index_t position;  ///< the first of the positions
  default_index_t count;     ///< of selected elements: not more than there are positions
  std::size_t chunk;         ///< where the elements are
  std::size_t begin;
  default_index_t rank = 0;  ///< number of elements that all units have selected before
};

/// What the units have selected.
struct Selection {
  std::vector<SelectedRun> runs;  ///< the caller's, ordered by position
  default_index_t total;          ///< elements of all units
};

/// Finds the ranks of selected elements.
/// \param select  returns the caller's runs, in any order; none is empty
/// \param size    of the range
/// \collective over the team of the call
/// \throws exception::RuntimeError on all units if `select` throws on one
/// \cost a list of all units' runs if it is short; else a bit for each element of the range, which
///       128 KiB at a time are combined by an all-reduce
DASH_API Selection rank_selected(Call& call, exec::FunctionRef<std::vector<SelectedRun>()> select,
                                 default_index_t size);

}  // namespace dash::internal
