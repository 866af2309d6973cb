#pragma once

#include "dash/algorithm/internal/call/CheckedAllgather.h"
#include "dash/algorithm/internal/call/RangeParts.h"
#include "dash/algorithm/internal/sort/SortKernel.h"
#include "dash/algorithm/internal/sort/SplitSearch.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// Finds the positions at which the sorted sequences of all units have to be split.
///
/// \param allgather  for search.per_round() elements
/// \param prepare  called first; creates the caller's sorted sequence, before `sorted` is read
/// \param finish   called when the splits are known
/// \completion on return, all units have returned from finish
/// \throws exception::RuntimeError on all units if something throws on one
/// \collective over the call's team
/// \cost a logarithmic number of all-gathers of some KiB per unit: 3 or 4 for 2^24 elements
DASH_API void find_splits(CheckedAllgather& allgather, const RangeParts& parts, SplitSearch& search,
                          const void* sorted, SortKernel& kernel, exec::FunctionRef<void()> prepare,
                          exec::FunctionRef<void()> finish);

}  // namespace dash::internal
