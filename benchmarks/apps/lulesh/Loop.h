#pragma once

#include <dash/async/FunctionRef.h>

namespace lulesh {

/// Calls body(0) ... body(n - 1), in any order or at the same time: how the computation is run is
/// up to who has it run.
using Loop = dash::exec::FunctionRef<void(int n, dash::exec::FunctionRef<void(int)> body)>;

}  // namespace lulesh
