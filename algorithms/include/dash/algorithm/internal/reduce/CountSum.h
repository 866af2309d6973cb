#pragma once

#include <cstddef>
#include <vector>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// Adds up the counts of all units. count(counts) adds the caller's counts to `size` zeros.
/// \returns the sums, on all units
/// \throws exception::RuntimeError on all units if count throws on one
/// \collective over the call's team
/// \cost one all-reduce, which also reports errors; for more than 255 counts another exchange,
///       which reports failed allocations
DASH_API std::vector<std::size_t> sum_counts(
    Call& call, std::size_t size, exec::FunctionRef<void(std::vector<std::size_t>&)> count);

}  // namespace dash::internal
