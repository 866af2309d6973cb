#pragma once

#include "dash/algorithm/internal/call/RangeParts.h"
#include "dash/algorithm/internal/call/Rounds.h"
#include "dash/algorithm/internal/sort/SortKernel.h"
#include "dash/algorithm/internal/sort/SplitSearch.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// Finds where the sequences of all units have to be split; each unit's is sorted.
///
/// \param rounds   of search.per_round() elements
/// \param prepare  called first, and makes the caller's sequence; only then `sorted` is read
/// \param finish   called when the splits are known
/// \completion  all units have returned from finish
/// \throws exception::RuntimeError on all units if something throws on one
/// \collective over the call's team
/// \cost all-gathers of some KiB a unit, logarithmically many: 3 or 4 for 2^24 elements
DASH_API void find_splits(Rounds& rounds, const RangeParts& parts, SplitSearch& search,
                          const void* sorted, SortKernel& kernel, exec::FunctionRef<void()> prepare,
                          exec::FunctionRef<void()> finish);

}  // namespace dash::internal
