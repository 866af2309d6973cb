#pragma once

#include <cstddef>
#include <vector>

#include "dash/algorithm/internal/call/Call.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// What the units count by `count(counts)`, which begins with `size` zeros, added up.
/// \returns the sums, on all units
/// \throws exception::RuntimeError on all units if count throws on one
/// \collective over the call's team
/// \cost one all-reduce, which also tells of errors; of many counts one more exchange, about their memory
DASH_API std::vector<std::size_t> sum_counts(
    Call& call, std::size_t size, exec::FunctionRef<void(std::vector<std::size_t>&)> count);

}  // namespace dash::internal
